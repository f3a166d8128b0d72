import { Transient } from '../errors/transient.ts';

/**
 * Lets work on one and the same thing happen one after the other within this process, so that it
 * does not live off version conflicts, or takes no more memory than one of it. It guards nothing:
 * expected versions do.
 */
export interface Turns {
  /**
   * Runs `work` once all that was handed in before it for the same key has ended. Where that ended
   * with the event store, or something else outside, being away, everyone waiting rejects with the
   * same, and nothing of theirs was begun: each would find it away in its turn, long after.
   */
  take<Result>(key: string, work: () => Promise<Result>, patience?: Patience): Promise<Result>;
}

/** Limits the wait for a turn. Work whose turn comes too late is never started. */
export interface Patience {
  readonly ms: number;
  /** Makes the error for the caller that waited too long. */
  readonly late: () => Error;
}

/** One for a process, shared by all commands that take turns. */
export function createTurns(): Turns {
  const newest = new Map<string, Promise<unknown>>();
  return {
    take(key, work, patience) {
      const before = newest.get(key) ?? Promise.resolve();
      const passOn = (error: unknown) => {
        if (error instanceof Transient) throw error;
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
