import type pg from 'pg';
import { StoreUnavailable } from './connection-loss.ts';
import type { HighWaterMark } from './high-water-mark.ts';

type LogQuery = <Row extends pg.QueryResultRow>(config: pg.QueryConfig) => Promise<Row[]>;

/**
 * Queries the database of `highWater`, unless the database is known to have gone back. Rejects with
 * `StoreUnavailable`. The caller reports the events that it reads to `highWater`.
 */
export function createLogQuery(pool: pg.Pool, highWater: HighWaterMark): LogQuery {
  return async <Row extends pg.QueryResultRow>(config: pg.QueryConfig) => {
    highWater.requireIntact();
    try {
      return (await pool.query<Row>(config)).rows;
    } catch (cause) {
      throw StoreUnavailable.wrap(cause);
    }
  };
}
