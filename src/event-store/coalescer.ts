import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendOutcome, EncodedAppend } from './batch.ts';
import { StoreSilent, StoreUnavailable } from './connection-loss.ts';

/**
 * Writes one batch, in which no two appends touch the same stream. Returns outcomes in the same
 * order.
 */
type WriteBatch = (appends: readonly EncodedAppend[]) => Promise<readonly AppendOutcome[]>;

interface Waiting {
  readonly append: EncodedAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces appends. Appends that arrive while a batch is being written go into the next batch,
 * each with its own outcome. Appends to one stream keep their order, in separate batches. If the
 * database refuses a batch, each append is written alone, so that only the faulty one rejects. If
 * the database cannot be reached, every append of the batch rejects. `most` limits the events of a
 * batch and the bytes of their data. A single larger append forms a batch of its own. An append that
 * has no outcome after `waitMs` rejects with `StoreSilent`. It is not written any more if its batch
 * has not begun. A batch that has begun is awaited, however long it takes: all other batches would
 * wait for its locks.
 */
export function createCoalescer(
  write: WriteBatch,
  most: { readonly events: number; readonly bytes: number },
  waitMs: number,
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
      // Later appends to a waiting stream wait behind the first one.
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
      // Callers that are answered together call again together. Without this turn of the event loop
      // the first of them would go out alone, and all others would wait for a second transaction.
      await nextTurn();
      if (queue.length === 0) break;
      await writeOut(takeBatch());
    }
    writing = false;
  };

  return (append) =>
    new Promise<AppendOutcome>((resolve, reject) => {
      const waiting: Waiting = {
        append,
        resolve(outcome) {
          clearTimeout(late);
          resolve(outcome);
        },
        reject(error) {
          clearTimeout(late);
          reject(error);
        },
      };
      const late = setTimeout(() => {
        queue = queue.filter((other) => other !== waiting);
        reject(new StoreSilent(waitMs));
      }, waitMs);
      queue.push(waiting);
      if (!writing) void drain();
    });
}

/**
 * Size of the stored data. Confidential fields, the only large ones, are stored in base64: one byte
 * per character.
 */
function dataBytes({ rows }: EncodedAppend): number {
  return rows.reduce((sum, { data }) => sum + data.length, 0);
}
