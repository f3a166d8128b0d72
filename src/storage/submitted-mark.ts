import { z } from 'zod';
import { NotAsWritten } from '../domain/log/not-as-written.ts';
import type { SubmittedMark } from '../domain/log/submitted-mark.ts';

const schema = z.object({
  origin: z.string(),
  position: z.int().min(1),
  leaf: z.string().regex(/^[0-9a-f]{64}$/),
  network: z.enum(['mainnet', 'testnet']),
  lastLedger: z.int(),
});

export function formatSubmittedMark(mark: SubmittedMark): string {
  const { origin, position, leaf, network, lastLedger } = mark;
  return `${JSON.stringify({ origin, position, leaf, network, lastLedger })}\n`;
}

/** Throws `NotAsWritten` on what is no mark: it must not be taken for none. */
export function parseSubmittedMark(file: string, text: string): SubmittedMark {
  const parsed = schema.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  const advice = 'put it back from a copy, or remove it if it never was one';
  throw new NotAsWritten(file, 'mark of what was submitted', advice);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
