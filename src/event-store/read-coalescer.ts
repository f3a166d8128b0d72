import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from './connection-loss.ts';

/** Reads the values of these keys. Keys without a value are absent from the answer. */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

interface Waiting<Key, Value> {
  readonly keys: readonly Key[];
  readonly resolve: (found: ReadonlyMap<Key, Value>) => void;
  readonly reject: (error: unknown) => void;
}

const maxUnderWay = 4;
const maxKeys = 500;

/**
 * Coalesces reads. Reads requested in one turn of the event loop, or while enough others are under
 * way, go out together. Each read is sent after its request, so it sees everything committed
 * before. All keys of one call are read at one moment. The answer may include the keys of other
 * calls. If a batch fails for another reason than a lost connection, each read is sent alone.
 */
export function createReadCoalescer<Key, Value>(read: ReadMany<Key, Value>): ReadMany<Key, Value> {
  let queue: Waiting<Key, Value>[] = [];
  let underWay = 0;

  const takeBatch = (): Waiting<Key, Value>[] => {
    let keys = 0;
    const fits = ({ keys: { length } }: Waiting<Key, Value>, index: number) => {
      keys += length;
      return index === 0 || keys <= maxKeys;
    };
    const end = queue.findIndex((waiting, index) => !fits(waiting, index));
    const batch = end < 0 ? queue : queue.slice(0, end);
    queue = queue.slice(batch.length);
    return batch;
  };

  const readOut = async (batch: readonly Waiting<Key, Value>[]): Promise<void> => {
    try {
      const found = await read([...new Set(batch.flatMap(({ keys }) => keys))]);
      for (const { resolve } of batch) resolve(found);
    } catch (error) {
      const alone = batch.length > 1 && !(error instanceof StoreUnavailable);
      if (alone) await Promise.all(batch.map((waiting) => readOut([waiting])));
      else for (const { reject } of batch) reject(error);
    }
  };

  const drain = async () => {
    underWay += 1;
    // Batch with all other requests of this turn of the event loop.
    await nextTurn();
    while (queue.length > 0) await readOut(takeBatch());
    underWay -= 1;
  };

  return (keys) =>
    new Promise((resolve, reject) => {
      queue.push({ keys, resolve, reject });
      if (underWay < maxUnderWay) void drain();
    });
}
