import { z } from 'zod';
import type { Network } from '../../domain/network.ts';
import { NotAsWritten } from './not-as-written.ts';

/**
 * How far the log had come when something that it had signed was about to be submitted. It does not
 * go back with the database, as what is on the ledger does not: a log that lacks this event has
 * forgotten signatures.
 */
export interface SubmittedMark {
  readonly origin: string;
  /** Of an event that is not before any signature that was submitted by then … */
  readonly position: number;
  /** … whose leaf (lower-case hex) this is. */
  readonly leaf: string;
  readonly network: Network;
  /** No ledger after this one can have what was submitted by then. */
  readonly lastLedger: number;
}

/** More ledgers than any signed transaction lives for. */
export const liveAtMost = 100;

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
