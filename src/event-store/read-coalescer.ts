import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from './connection-loss.ts';

/** Reads what there is of these keys; absent ones are absent from the answer. */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

interface Waiting<Key, Value> {
  readonly keys: readonly Key[];
  readonly resolve: (found: ReadonlyMap<Key, Value>) => void;
  readonly reject: (error: unknown) => void;
}

const maxUnderWay = 4;
const maxKeys = 500;

/**
 * Coalesces reads: those that are asked for in one turn of the event loop, or while enough others
 * are under way, go out together. Each is sent after it was asked for, so it sees what was committed
 * by then, and all keys of one call are read at one moment. The answer may hold others' keys too. If
 * reads fail together for another reason than a lost connection, each is made by itself.
 */
export function createReadCoalescer<Key, Value>(read: ReadMany<Key, Value>): ReadMany<Key, Value> {
  let queue: Waiting<Key, Value>[] = [];
  let underWay = 0;

  const takeBatch = (): Waiting<Key, Value>[] => {
    let keys = 0;
    const fits = ({ keys: { length } }: Waiting<Key, Value>, place: number) => {
      keys += length;
      return place === 0 || keys <= maxKeys;
    };
    const end = queue.findIndex((waiting, place) => !fits(waiting, place));
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
    // Whoever asks in this turn of the event loop comes along.
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
