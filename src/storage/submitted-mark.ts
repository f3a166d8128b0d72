import { z } from 'zod';
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

/** Throws on what is no mark, naming its file: it must not be taken for none. */
export function parseSubmittedMark(file: string, text: string): SubmittedMark {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${file} under STORAGE_URL is no mark of what was submitted as this service writes it: put it ` +
        'back from a copy, or remove it if it never was one',
      { cause },
    );
  }
}
