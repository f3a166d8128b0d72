import type pg from 'pg';
import { dayMs, type Limits, minuteMs, type WindowState } from './request-limiter.ts';

/** What several calls of one subject ask for together. */
export interface CallsOfSubject {
  readonly subject: string;
  readonly limits: Limits;
  /** Asked for; 0 only looks. */
  readonly calls: number;
  /** Let through already: they count whatever is left. */
  readonly owed: number;
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
    asked.map(({ owed }) => owed),
  ];
  // `query_timeout` is known to pg, but not to its types.
  const query = {
    ...{ name: 'count-calls', text: statement, values },
    ...{ query_timeout: timeoutMs, rowMode: 'array' as const },
  };
  const { rows } = await pool.query<Row>(query);
  const limits = new Map(asked.map((each) => [each.subject, each.limits]));
  return new Map(rows.map((row) => [row[0], toCounted(row, limits.get(row[0]) as Limits)]));
}

/** What has been used of a window that goes on; of one that is over, nothing. */
const usedOf = (window: 'minute' | 'day', ms: number) =>
  `CASE WHEN excluded.minute_from - c.${window}_from BETWEEN -${clockToleranceMs} AND ${ms - 1}
        THEN c.${window}_used ELSE 0 END`;
const minuteUsed = usedOf('minute', minuteMs);
const dayUsed = usedOf('day', dayMs);
const owed = '(excluded.minute_used - excluded.granted)';
const granted = `greatest(0, least(excluded.granted, excluded.minute_limit - ${minuteUsed} - ${owed},
                                   excluded.day_limit - ${dayUsed} - ${owed}))`;
// A query of its own is computed once for all rows.
const now = '(SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint)';

// In the order of their subjects, so that two statements never wait for one another. `excluded` is
// what a subject asks for: the moment is in both `…_from`, the calls in `granted`, and with those that
// it owes in both `…_used`.
const statement = `
  INSERT INTO request_counts AS c
    (subject, minute_limit, day_limit, minute_from, minute_used, day_from, day_used, granted)
  SELECT subject, per_minute, per_day, ms, owed + calls, ms, owed + calls, calls
  FROM (SELECT subject, per_minute, per_day, ${now} AS ms, owed,
               greatest(0, least(calls, per_minute - owed, per_day - owed)) AS calls
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
          AS u(subject, calls, per_minute, per_day, owed)) a
  ORDER BY subject COLLATE "C"
  ON CONFLICT (subject) DO UPDATE SET
    minute_limit = excluded.minute_limit,
    day_limit = excluded.day_limit,
    minute_from = CASE WHEN ${minuteUsed} > 0 THEN c.minute_from ELSE excluded.minute_from END,
    minute_used = ${minuteUsed} + ${owed} + ${granted},
    day_from = CASE WHEN ${dayUsed} > 0 THEN c.day_from ELSE excluded.day_from END,
    day_used = ${dayUsed} + ${owed} + ${granted},
    granted = ${granted}
  RETURNING subject, granted, minute_used, day_used,
    minute_from + ${minuteMs} - ${now}, day_from + ${dayMs} - ${now}`;

/** Subject, granted, used of the minute, of the day, what is left of them in ms. Bigints are text. */
type Row = readonly [string, string, string, string, string, string];

function toCounted(row: Row, { perMinute, perDay }: Limits): Counted {
  const [, calls, minute, day, minuteLeft, dayLeft] = row;
  const windows = [stateOf('minute', perMinute, minute, minuteLeft)];
  if (perDay !== null) windows.push(stateOf('day', perDay, day, dayLeft));
  return { granted: Number(calls), windows };
}

function stateOf(
  name: WindowState['name'],
  limit: number,
  used: string,
  leftMs: string,
): WindowState {
  return { name, limit, remaining: Math.max(0, limit - Number(used)), leftMs: Number(leftMs) };
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
