import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLoss, StoreUnavailable } from '../../../src/event-store/connection-loss.ts';
import type { Queryable } from '../rows/read-rows.ts';

const totalMs = 60_000;
const longestPauseMs = 1_000;

/**
 * Repeats work that failed because the database connection broke, or a standby ended the query. All parts of an audit share one
 * time limit, so that the audit ends soon if the database stays unreachable.
 */
export class Patience {
  #leftMs: number;

  constructor(leftMs = totalMs) {
    this.#leftMs = leftMs;
  }

  /** Use only for work that changes nothing. */
  async repeat<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const startedAt = performance.now();
      try {
        return await work();
      } catch (error) {
        const isLost =
          error instanceof StoreUnavailable || isConnectionLoss(error) || isStandbyConflict(error);
        if (!isLost || this.#leftMs <= 0) throw error;
        await delay(pauseMs);
        this.#leftMs -= performance.now() - startedAt;
      }
    }
  }
}

/**
 * A standby ends a query that needs rows which the primary has vacuumed. The SQLSTATE is that of a
 * conflict between transactions, which a single statement that reads cannot have.
 */
function isStandbyConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40001';
}

/** Returns a database that repeats queries after a connection loss. */
export function patientDatabase(database: Queryable, patience: Patience): Queryable {
  const query = (text: string, values?: unknown[]) =>
    patience.repeat(() => database.query(text, values));
  // Covers only the overloads that return a promise.
  return { query } as Queryable;
}
