import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLoss, StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import type { Queryable } from './read-rows.ts';

const totalMs = 60_000;
const longestPauseMs = 1_000;

/**
 * Repeats what failed because the connection to the database broke. All of an audit shares the time that
 * is spent on it, so that one whose database is gone for good still ends soon.
 */
export class Patience {
  #leftMs: number;

  constructor(leftMs = totalMs) {
    this.#leftMs = leftMs;
  }

  /** Only for work that changes nothing. */
  async repeat<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const startedAt = performance.now();
      try {
        return await work();
      } catch (error) {
        const isLost = error instanceof StoreUnavailable || isConnectionLoss(error);
        if (!isLost || this.#leftMs <= 0) throw error;
        await delay(pauseMs);
        this.#leftMs -= performance.now() - startedAt;
      }
    }
  }
}

/** The database, whose queries are repeated. */
export function patientDatabase(database: Queryable, patience: Patience): Queryable {
  const query = (text: string, values?: unknown[]) =>
    patience.repeat(() => database.query(text, values));
  // Of its overloads those that answer with a promise.
  return { query } as Queryable;
}
