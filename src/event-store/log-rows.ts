import type pg from 'pg';
import { HighWaterMark } from './high-water-mark.ts';
import { logPageQuery, type PageRow, pageOf } from './log-page.ts';
import { createLogQuery } from './log-query.ts';
import type { Stretch } from './log-window.ts';

/** A stretch of the log, read at one moment. */
export interface RowsRead extends Stretch {
  /** Position of the newest event at that moment; 0 for an empty log. */
  readonly head: number;
}

/** Reader of the stored rows of the log. */
export interface LogRows {
  /**
   * The rows after a position, in order: at most `limit`, and fewer if they are large. Rejects with
   * `StoreUnavailable`.
   */
  read(after: number, limit: number): Promise<RowsRead>;
}

/**
 * Rows of the types in `headersOf` are read without their data. Reading raises `highWater`, the
 * high-water mark of the pool's database.
 */
export function createLogRows(
  pool: pg.Pool,
  headersOf: readonly string[],
  highWater = new HighWaterMark(),
): LogRows {
  const query = createLogQuery(pool, highWater);
  return {
    async read(after, limit) {
      const bounds = { after, limit, headersOf };
      const page = logPageQuery(bounds);
      const text =
        'SELECT (SELECT leaf FROM events WHERE position = $1) AS before, page.* ' +
        `FROM (${page.text}) AS page`;
      const answered = await query<FollowingRow>({ ...page, text });
      const { rows, position } = pageOf(bounds, answered);
      highWater.see(rows);
      const { head = 0, before = null } = answered[0] ?? {};
      return { head, rows, position, leafBefore: before };
    },
  };
}

type FollowingRow = PageRow & { readonly before: Buffer | null };
