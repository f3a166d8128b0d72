import { Unavailable } from '../../errors/unavailable.ts';

/**
 * Serialises work on the same key within this process, to avoid version conflicts or to limit
 * memory. It does not guard streams: expected versions do.
 */
export interface Turns {
  /**
   * Runs `work` after all work handed in before it for the same key. If the preceding work fails
   * with any `Unavailable`, all waiting callers reject with that error: `StoreUnavailable`, but also
   * `ProjectionBehind` of work that counts in a read model. Their work is not started: each would
   * find the same error in its turn, much later.
   */
  take<Result>(key: string, work: () => Promise<Result>, patience?: Patience): Promise<Result>;
}

/** Limits the wait for a turn. Work whose turn comes too late is never started. */
interface Patience {
  readonly ms: number;
  /** Creates the error for a caller that waited too long. */
  readonly late: () => Error;
}

/** Creates the turns of a process, shared by all commands that take turns. */
export function createTurns(): Turns {
  const newest = new Map<string, Promise<unknown>>();
  return {
    take(key, work, patience) {
      const before = newest.get(key) ?? Promise.resolve();
      const passOn = (error: unknown) => {
        if (error instanceof Unavailable) throw error;
      };
      const wait = patience === undefined ? null : startWait(patience);
      const turn = before.catch(passOn).then(() => {
        // The caller of a late turn has been rejected already.
        return wait?.end() === 'over' ? (undefined as never) : work();
      });
      newest.set(key, turn);
      const forget = () => {
        if (newest.get(key) === turn) newest.delete(key);
      };
      turn.then(forget, forget);
      return wait === null ? turn : Promise.race([turn, wait.over]).finally(wait.end);
    },
  };
}

function startWait({ ms, late }: Patience) {
  let state: 'waits' | 'ended' | 'over' = 'waits';
  const { promise: over, reject } = Promise.withResolvers<never>();
  // Unused if the turn comes in time.
  over.catch(() => {});
  const timer = setTimeout(() => {
    state = 'over';
    reject(late());
  }, ms);
  const end = () => {
    clearTimeout(timer);
    if (state === 'waits') state = 'ended';
    return state;
  };
  return { over, end };
}
