import { z } from 'zod';
import { parseOrigin } from '../../domain/log/origin.ts';
import type { Network } from '../../domain/network.ts';
import { NotAsWritten } from './not-as-written.ts';

/**
 * Submission mark: the log position when signed transactions were about to be submitted. The
 * storage keeps it when the database is restored, as the ledger keeps the transactions. A log
 * without this event has lost signatures.
 */
export interface SubmittedMark {
  readonly origin: string;
  /** Position of an event at or after every signature that was submitted by then. */
  readonly position: number;
  /** Leaf of that event, in lower-case hexadecimal. */
  readonly leaf: string;
  readonly network: Network;
  /** Last ledger that can contain a transaction submitted by then. */
  readonly lastLedger: number;
}

/** Upper bound on the lifetime of a signed transaction, in ledgers. */
export const liveAtMost = 100;

const schema = z.object({
  origin: z.string().refine((origin) => parseOrigin(origin) !== null),
  position: z.int().min(1),
  leaf: z.string().regex(/^[0-9a-f]{64}$/),
  network: z.enum(['mainnet', 'testnet']),
  lastLedger: z.int(),
});

export function formatSubmittedMark(mark: SubmittedMark): string {
  const { origin, position, leaf, network, lastLedger } = mark;
  return `${JSON.stringify({ origin, position, leaf, network, lastLedger })}\n`;
}

/** Throws `NotAsWritten` for malformed text, so that a damaged mark is never ignored. */
export function parseSubmittedMark(file: string, text: string): SubmittedMark {
  const parsed = schema.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  const advice = 'put it back from a copy, or remove it if it never was one';
  throw new NotAsWritten(file, 'submission mark', advice);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
