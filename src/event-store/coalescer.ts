import type { AppendOutcome, EncodedAppend } from './batch.ts';

/** Writes one batch; no two of its appends touch the same stream. Outcomes in the same order. */
export type WriteBatch = (appends: readonly EncodedAppend[]) => Promise<readonly AppendOutcome[]>;

interface Waiting {
  readonly append: EncodedAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces appends: those that arrive while a batch is being written go out together in the next
 * one, each with its own outcome. Appends to one stream keep their order, a batch apart. A batch
 * that cannot be written rejects every append in it.
 */
export function createCoalescer(
  write: WriteBatch,
  maxEvents: number,
): (append: EncodedAppend) => Promise<AppendOutcome> {
  let queue: Waiting[] = [];
  let writing = false;

  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const touched = new Set<string>();
    let events = 0;
    for (const waiting of queue) {
      const { guards, rows } = waiting.append;
      const full = batch.length > 0 && events + rows.length > maxEvents;
      if (full || guards.some((guard) => touched.has(guard.stream))) later.push(waiting);
      else {
        batch.push(waiting);
        events += rows.length;
      }
      // A stream that had to wait keeps its later appends waiting behind it.
      for (const guard of guards) touched.add(guard.stream);
    }
    queue = later;
    return batch;
  };

  const drain = async () => {
    writing = true;
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        const outcomes = await write(batch.map((waiting) => waiting.append));
        batch.forEach((waiting, index) => {
          const outcome = outcomes[index];
          if (outcome) waiting.resolve(outcome);
          else waiting.reject(new Error('the batch gave no outcome for this append'));
        });
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    writing = false;
  };

  return (append) =>
    new Promise((resolve, reject) => {
      queue.push({ append, resolve, reject });
      if (!writing) void drain();
    });
}
