import { Readable } from 'node:stream';
import { StoreSilent } from '../event-store/connection-loss.ts';
import { inTime } from './in-time.ts';
import type { Reply } from './reply.ts';

/** Limit on waits for the database. */
export interface AnswerWait {
  /**
   * Maximum wait for the database to identify the caller, and again to run the operation (default
   * 30,000). After that the answer is 503.
   */
  readonly answerWaitMs: number | undefined;
}

const defaultAnswerWaitMs = 30_000;

/**
 * Rejects with `StoreSilent` if the database does not answer in time, for example while its tables
 * are locked. `alsoMs` is the additional time for other waits of the work. The stream of a late
 * answer is destroyed.
 */
export function withinWait<Value>(
  work: Promise<Value>,
  { answerWaitMs = defaultAnswerWaitMs }: AnswerWait,
  alsoMs = 0,
): Promise<Value> {
  const ms = answerWaitMs + alsoMs;
  return inTime(work, ms, () => new StoreSilent(ms), destroyStream);
}

/** Additional time of a route for waits that are not for the database. */
export function otherWaitMs(
  route: { readonly awaitsProof?: boolean; readonly otherWaitMs?: number },
  { proofWaitMs }: { readonly proofWaitMs: number },
): number {
  return (route.awaitsProof ? proofWaitMs : 0) + (route.otherWaitMs ?? 0);
}

function destroyStream(value: unknown): void {
  const body = (value as Partial<Reply> | null)?.body;
  if (body instanceof Readable) body.destroy();
}
