import type pg from 'pg';
import { dayMs, type Limits, minuteMs, type WindowState } from './request-limiter.ts';

/** What several calls of one subject ask for together. */
export interface CallsOfSubject {
  readonly subject: string;
  readonly limits: Limits;
  /** 0 only looks. */
  readonly calls: number;
}

/** How it stands with a subject after its calls: the first `granted` of them were let through. */
export interface Counted {
  readonly granted: number;
  readonly windows: readonly WindowState[];
}

/** Stands for no limit; more calls than this are never made. */
const noLimit = 1e15;

/** A clock that was set back by more than this ends the windows that were begun before. */
const clockToleranceMs = 5_000;

/**
 * Counts the calls of all these subjects, each named once, in one statement: a call counts in both of
 * its windows or in neither. The clock is the database's. A statement that waited for another's row
 * counts from what that one left there.
 */
export async function countCalls(
  pool: pg.Pool,
  asked: readonly CallsOfSubject[],
  timeoutMs: number,
): Promise<ReadonlyMap<string, Counted>> {
  const values = [
    asked.map(({ subject }) => subject),
    asked.map(({ calls }) => calls),
    asked.map(({ limits }) => limits.perMinute),
    asked.map(({ limits }) => limits.perDay ?? noLimit),
  ];
  // `query_timeout` is known to pg, but not to its types.
  const query = { name: 'count-calls', text: statement, values, query_timeout: timeoutMs };
  const { rows } = await pool.query<Row>(query);
  return new Map(rows.map((row) => [row.subject, toCounted(row)]));
}

// In the order of their subjects, so that two statements never wait for one another.
const statement = `
  INSERT INTO request_counts AS c
    (subject, minute_limit, day_limit, minute_from, minute_used, day_from, day_used, granted)
  SELECT a.subject, a.per_minute, a.per_day, t.ms, a.calls, t.ms, a.calls, a.calls
  FROM (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS ms) t,
    (SELECT subject, per_minute, per_day, least(calls, per_minute, per_day) AS calls
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
       AS u(subject, calls, per_minute, per_day)) a
  ORDER BY a.subject COLLATE "C"
  ON CONFLICT (subject) DO UPDATE SET
    (minute_limit, day_limit, minute_from, minute_used, day_from, day_used, granted) = (
      SELECT excluded.minute_limit, excluded.day_limit,
             CASE WHEN m.used > 0 THEN c.minute_from ELSE n.ms END, m.used + g.calls,
             CASE WHEN d.used > 0 THEN c.day_from ELSE n.ms END, d.used + g.calls,
             g.calls
      FROM (SELECT excluded.minute_from AS ms) n,
        LATERAL (SELECT CASE WHEN n.ms - c.minute_from BETWEEN -${clockToleranceMs} AND ${minuteMs - 1}
                             THEN c.minute_used ELSE 0 END AS used) m,
        LATERAL (SELECT CASE WHEN n.ms - c.day_from BETWEEN -${clockToleranceMs} AND ${dayMs - 1}
                             THEN c.day_used ELSE 0 END AS used) d,
        LATERAL (SELECT greatest(0, least(excluded.granted, excluded.minute_limit - m.used,
                                          excluded.day_limit - d.used)) AS calls) g)
  RETURNING subject, granted, minute_limit, day_limit, minute_used, day_used,
    minute_from + ${minuteMs} - (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS minute_left,
    day_from + ${dayMs} - (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS day_left`;

/** A bigint column comes as text. */
type Row = { readonly subject: string } & Readonly<
  Record<
    | 'granted'
    | 'minute_limit'
    | 'day_limit'
    | 'minute_used'
    | 'day_used'
    | 'minute_left'
    | 'day_left',
    string
  >
>;

function toCounted(row: Row): Counted {
  const state = (name: WindowState['name'], limit: string, used: string, left: string) => ({
    name,
    limit: Number(limit),
    remaining: Math.max(0, Number(limit) - Number(used)),
    leftMs: Number(left),
  });
  const minute = state('minute', row.minute_limit, row.minute_used, row.minute_left);
  const day = state('day', row.day_limit, row.day_used, row.day_left);
  return {
    granted: Number(row.granted),
    windows: day.limit < noLimit ? [minute, day] : [minute],
  };
}

/** Deletes what was counted of the calls of these keys. */
export async function forgetKeys(pool: pg.Pool, keyIds: readonly string[]): Promise<void> {
  const subjects = keyIds.map(subjectOfKey);
  await pool.query('DELETE FROM request_counts WHERE subject = ANY($1::text[])', [subjects]);
}

/** As what the calls of a key are counted. */
export function subjectOfKey(keyId: string): string {
  return `key ${keyId}`;
}

const swept = 5_000;

/** Deletes what nobody counts by any more. What is being counted just now stays. */
export async function forgetOldCounts(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM request_counts WHERE subject IN (
         SELECT subject FROM request_counts,
           (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS ms) t
         WHERE minute_from + ${minuteMs} <= t.ms
           AND (day_from + ${dayMs} <= t.ms OR day_limit >= ${noLimit})
         LIMIT ${swept} FOR UPDATE OF request_counts SKIP LOCKED)`,
    );
    if ((rowCount ?? 0) < swept) return;
  }
}
