import { Unavailable } from '../domain/unavailable.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';

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
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** One for a process, shared by all commands that take turns. */
export function createTurns(): Turns {
  const newest = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = newest.get(key) ?? Promise.resolve();
      const passOn = (error: unknown) => {
        if (error instanceof StoreUnavailable || error instanceof Unavailable) throw error;
      };
      const turn = before.catch(passOn).then(work);
      newest.set(key, turn);
      try {
        return await turn;
      } finally {
        if (newest.get(key) === turn) newest.delete(key);
      }
    },
  };
}
