import type pg from 'pg';
import type { Amounts, Batch } from './batch-calls.ts';
import { noLimit } from './quota.ts';

/** Counts of a subject after a batch. */
export interface CountedSubject {
  readonly used: Amounts;
  /** Milliseconds until a window is over. */
  readonly leftMs: Amounts;
}

export interface Counted {
  /** Counts by name of the subject. */
  readonly subjects: ReadonlyMap<string, CountedSubject>;
  /** Indexes of the refused calls of the batch; all others were counted. */
  readonly refused: ReadonlySet<number>;
}

/**
 * Counts a batch of calls in one statement, in the order of the calls. Each call counts in all
 * windows of its subjects or in none. The clock is the database's. A statement that waited for
 * locked rows continues from the counts of the statement that held the locks.
 */
export async function countCalls(
  pool: pg.Pool,
  { subjects, calls }: Batch,
  timeoutMs: number,
): Promise<Counted> {
  const charges = calls.flatMap((call) => call.charges);
  let end = 0;
  const values = [
    subjects.map(({ quota }) => quota.subject),
    integers(subjects.map(({ quota }) => quota.limits.perMinute)),
    integers(subjects.map(({ quota }) => quota.limits.perDay ?? noLimit)),
    integers(subjects.map(({ sum }) => sum.minute)),
    integers(subjects.map(({ sum }) => sum.day)),
    integers(
      calls.map((call) => {
        end += call.charges.length;
        return end;
      }),
    ),
    integers(charges.map(({ to }) => to.number + 1)),
    integers(charges.map(({ amounts }) => amounts.minute)),
    integers(charges.map(({ amounts }) => amounts.day)),
  ];
  // `query_timeout` is known to pg, but not to its types.
  const query = {
    ...{ name: 'count-calls', text: statement, values },
    ...{ query_timeout: timeoutMs, rowMode: 'array' as const },
  };
  const { rows } = await pool.query<Row>(query);
  const [counts, refused] = rows[0] ?? [[], null];
  const found = counts.map(([subject, minute, day, minuteLeftMs, dayLeftMs]) => {
    const leftMs = { minute: minuteLeftMs, day: dayLeftMs };
    return [subject, { used: { minute, day }, leftMs }] as const;
  });
  return { subjects: new Map(found), refused: new Set(refused?.map((number) => number - 1)) };
}

/** An array as PostgreSQL reads it; pg would quote each number. */
function integers(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

const statement = `
  SELECT counts, refused FROM count_calls($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * For each subject: the requests used in its minute and its day, and the milliseconds left of both.
 * Then the numbers of the refused calls, from 1.
 */
type Row = readonly [
  (readonly [string, number, number, number, number])[],
  readonly number[] | null,
];

/** A part of a subject's day that is given back. */
export interface GivenBack {
  readonly subject: string;
  readonly amount: number;
  /** Milliseconds of the day that were left when the amount was counted. */
  readonly leftMs: number;
}

/**
 * Takes amounts back from the days in which they were counted. Another day has more time left than
 * there was then, so it keeps its count. Locks the rows in the order of `count_calls`.
 */
export async function giveBackAmounts(
  pool: pg.Pool,
  given: readonly GivenBack[],
  timeoutMs: number,
): Promise<void> {
  const text = `
    WITH locked AS (
      SELECT r.subject, a.amount, a.left_ms
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS a(subject, amount, left_ms)
      JOIN request_counts r ON r.subject = a.subject
      ORDER BY r.subject FOR UPDATE OF r
    )
    UPDATE request_counts c SET day_used = greatest(0, c.day_used - locked.amount)
    FROM locked, (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS ms) t
    WHERE c.subject = locked.subject AND c.day_from + 86400000 - t.ms <= locked.left_ms`;
  const values = [
    given.map(({ subject }) => subject),
    integers(given.map(({ amount }) => amount)),
    integers(given.map(({ leftMs }) => leftMs)),
  ];
  // `query_timeout` is known to pg, but not to its types.
  const query = { text, values, ...{ query_timeout: timeoutMs } };
  await pool.query(query);
}

/** Deletes the counts of these subjects. */
export async function forgetSubjects(pool: pg.Pool, subjects: readonly string[]): Promise<void> {
  await pool.query('DELETE FROM request_counts WHERE subject = ANY($1::text[])', [subjects]);
}

/** The subject to which calls of a key are charged. */
export function subjectOfKey(keyId: string): string {
  return `key ${keyId}`;
}

/** The subject to which calls of a person in the console are charged. */
export function subjectOfPerson(personId: string): string {
  return `person ${personId}`;
}

/** The subject to which calls of all keys of an organisation are charged. */
export function subjectOfOrganisation(organisationId: string): string {
  return `organisation ${organisationId}`;
}

/** The subject to which the items of a key's batches are charged. */
export function subjectOfKeyItems(keyId: string): string {
  return `items of key ${keyId}`;
}

/** The subject to which the items of all batches of an organisation are charged. */
export function subjectOfOrganisationItems(organisationId: string): string {
  return `items of organisation ${organisationId}`;
}

const swept = 5_000;

/** Deletes the counts of subjects whose windows are over. Rows that are locked stay. */
export async function forgetOldCounts(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM request_counts WHERE subject IN (
         SELECT subject FROM request_counts,
           (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS ms) t
         WHERE minute_from + 60000 <= t.ms
           AND (day_from + 86400000 <= t.ms OR day_limit >= ${noLimit})
         LIMIT ${swept} FOR UPDATE OF request_counts SKIP LOCKED)`,
    );
    if ((rowCount ?? 0) < swept) return;
  }
}
