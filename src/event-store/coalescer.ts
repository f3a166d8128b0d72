import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendOutcome, EncodedAppend } from './batch.ts';
import { StoreUnavailable } from './connection-loss.ts';

/** Writes one batch; no two of its appends touch the same stream. Outcomes in the same order. */
export type WriteBatch = (appends: readonly EncodedAppend[]) => Promise<readonly AppendOutcome[]>;

interface Waiting {
  readonly append: EncodedAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces appends: those that arrive while a batch is being written go out together in the next
 * one, each with its own outcome. Appends to one stream keep their order, a batch apart. Of a batch
 * that the database refuses to write each append is written by itself, so that the one at fault
 * rejects alone; one that cannot be reached rejects every append in it. A batch has at most so many
 * events and bytes of their data, but for a single append that has more.
 */
export function createCoalescer(
  write: WriteBatch,
  most: { readonly events: number; readonly bytes: number },
): (append: EncodedAppend) => Promise<AppendOutcome> {
  let queue: Waiting[] = [];
  let writing = false;

  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const touched = new Set<string>();
    let events = 0;
    let bytes = 0;
    for (const waiting of queue) {
      const { guards, rows } = waiting.append;
      const ownBytes = dataBytes(waiting.append);
      const over = events + rows.length > most.events || bytes + ownBytes > most.bytes;
      const full = batch.length > 0 && over;
      if (full || guards.some((guard) => touched.has(guard.stream))) later.push(waiting);
      else {
        batch.push(waiting);
        events += rows.length;
        bytes += ownBytes;
      }
      // A stream that had to wait keeps its later appends waiting behind it.
      for (const guard of guards) touched.add(guard.stream);
    }
    queue = later;
    return batch;
  };

  const writeOut = async (batch: readonly Waiting[]) => {
    try {
      const outcomes = await write(batch.map((waiting) => waiting.append));
      batch.forEach((waiting, index) => {
        const outcome = outcomes[index];
        if (outcome) waiting.resolve(outcome);
        else waiting.reject(new Error('the batch gave no outcome for this append'));
      });
    } catch (error) {
      const alone = batch.length > 1 && !(error instanceof StoreUnavailable);
      if (alone) for (const waiting of batch) await writeOut([waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  };

  const drain = async () => {
    writing = true;
    for (;;) {
      // Callers that were answered together come again together; without this turn of the event loop
      // the first of them would go out alone, and all others wait for a second transaction.
      await nextTurn();
      if (queue.length === 0) break;
      await writeOut(takeBatch());
    }
    writing = false;
  };

  return (append) =>
    new Promise((resolve, reject) => {
      queue.push({ append, resolve, reject });
      if (!writing) void drain();
    });
}

/** What is confidential, and so all that can be large, is stored in base64: one byte a character. */
function dataBytes({ rows }: EncodedAppend): number {
  return rows.reduce((sum, { data }) => sum + data.length, 0);
}
