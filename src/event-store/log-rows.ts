import type pg from 'pg';
import type { AppendedRows } from './appended-rows.ts';
import { HighWaterMark } from './high-water-mark.ts';
import { logPageQuery, type PageRow, pageOf } from './log-page.ts';
import { createLogQuery } from './log-query.ts';
import type { Stretch, WindowRow } from './log-window.ts';

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

/** State of the log at one moment. */
interface HeadRow {
  readonly head: number;
  /** Leaf of the event at the head. */
  readonly leaf: Buffer | null;
  /** Leaf of the event that the rows follow. */
  readonly before: Buffer | null;
}

type FollowingRow = PageRow & { readonly before: Buffer | null };

/** Events whose data is not read: of these types, and larger than this. */
export interface LargeEvents {
  readonly types: readonly string[];
  readonly aboveBytes: number;
}

/**
 * Rows of `large` events are read without their data. Reading raises `highWater`, the
 * high-water mark of the pool's database. Rows in `appended` are not read again, if the log ends
 * with one of them.
 */
export function createLogRows(
  pool: pg.Pool,
  large: LargeEvents,
  highWater = new HighWaterMark(),
  appended?: AppendedRows,
): LogRows {
  const query = createLogQuery(pool, highWater);
  const { types: headersOf, aboveBytes: headersAbove } = large;
  const isLarge = ({ type, bytes }: WindowRow) => headersOf.includes(type) && bytes > headersAbove;

  /** The rows from memory, whose last one the database has at its head; null if some are missing. */
  const readOwn = async (rowsOf: AppendedRows, after: number, limit: number) => {
    const [at] = await query<HeadRow>({
      name: 'log-head',
      text:
        'SELECT position AS head, (SELECT leaf FROM events WHERE position = head.position) AS leaf, ' +
        '(SELECT leaf FROM events WHERE position = $1) AS before FROM log_head AS head',
      values: [after],
    });
    if (at === undefined || at.leaf === null || at.head < after) return null;
    highWater.see([{ position: at.head, leaf: at.leaf }]);
    const own = rowsOf.stretch(after, at.head);
    const last = own?.at(-1);
    // The last event vouches for all: no other log has it at this position.
    if (own === null || (last !== undefined && !last.leaf.equals(at.leaf))) return null;
    const rows = own
      .slice(0, limit)
      .map((row) => (isLarge(row) ? { ...row, data: null, plain: null } : row));
    const position = rows.at(-1)?.position ?? after;
    return { head: at.head, rows, position, leafBefore: at.before };
  };

  return {
    async read(after, limit) {
      if (appended?.isActive(performance.now())) {
        const own = await readOwn(appended, after, limit);
        appended.forget(own?.position ?? after);
        if (own !== null) return own;
      }
      const bounds = { after, limit, headersOf, headersAbove };
      const page = logPageQuery(bounds);
      const text =
        'SELECT (SELECT leaf FROM events WHERE position = $1) AS before, page.* ' +
        `FROM (${page.text}) AS page`;
      const answered = await query<FollowingRow>({ ...page, text });
      const { rows, position } = pageOf(bounds, answered);
      highWater.see(rows);
      appended?.forget(position);
      const { head = 0, before = null } = answered[0] ?? {};
      return { head, rows, position, leafBefore: before };
    },
  };
}
