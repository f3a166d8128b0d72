import { type Kysely, sql } from 'kysely';

const windowMs = { minute: 60_000, day: 86_400_000 } as const;

/** A window that began further in the future than this, because the clock was set back, is over. */
const clockToleranceMs = 5_000;

/** Requests counted in a window; 0 once the window is over. */
const usedOf = (window: keyof typeof windowMs) => `
  CASE WHEN now_ms - c.${window}_from BETWEEN -${clockToleranceMs} AND ${windowMs[window] - 1}
       THEN c.${window}_used ELSE 0 END`;

/** Adds the charges to the window. An unused window begins now. */
const charge = (window: keyof typeof windowMs) => `
  ${window}_limit = excluded.${window}_limit,
  ${window}_from = CASE WHEN ${usedOf(window)} > 0 THEN c.${window}_from ELSE now_ms END,
  ${window}_used = ${usedOf(window)} + excluded.${window}_used`;

const counts = `json_agg(json_build_array(
  subject, minute_used, day_used,
  minute_from + ${windowMs.minute} - now_ms, day_from + ${windowMs.day} - now_ms))`;

/**
 * `count_calls` counts a batch of calls: each against all of its subjects, or against none.
 *
 * - `subjects` names each subject once. `minute_sums` and `day_sums` are its charges in the batch.
 * - `call_ends`, `charged`, `minute_charges` and `day_charges` are arrays as text, read only if
 *   needed. Call n makes the charges from `call_ends[n - 1] + 1` to `call_ends[n]`. Charge k is to
 *   the subject with the number `charged[k]`.
 * - The result has for each subject its name, the use of its minute and its day, and the
 *   milliseconds left of both. `refused` holds the numbers of the refused calls, or null.
 *
 * All charges are added first. Only if a limit is then exceeded, `refuse_calls` checks the calls
 * one by one in order, while the rows are locked. Rows are locked in the order of their names, so
 * that two batches never deadlock. The clock is the database's. The column `granted` is for the
 * release before this migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE FUNCTION count_calls(
      subjects text[], minute_limits bigint[], day_limits bigint[],
      minute_sums bigint[], day_sums bigint[],
      call_ends text, charged text, minute_charges text, day_charges text,
      OUT counts json, OUT refused integer[]
    ) LANGUAGE plpgsql VOLATILE AS $$
    #variable_conflict use_column
    DECLARE
      now_ms CONSTANT bigint := (extract(epoch FROM statement_timestamp()) * 1000)::bigint;
      is_exceeded boolean;
    BEGIN
      WITH charged AS (
        INSERT INTO request_counts AS c
          (subject, minute_limit, day_limit, minute_from, minute_used, day_from, day_used, granted)
        SELECT a.subject, a.minute_limit, a.day_limit, now_ms, a.minute_sum, now_ms, a.day_sum, 0
        FROM unnest(subjects, minute_limits, day_limits, minute_sums, day_sums)
          AS a(subject, minute_limit, day_limit, minute_sum, day_sum)
        ORDER BY a.subject COLLATE "C"
        ON CONFLICT (subject) DO UPDATE SET ${charge('minute')}, ${charge('day')}
        RETURNING c.*
      )
      SELECT ${counts}, bool_or(minute_used > minute_limit OR day_used > day_limit)
      INTO counts, is_exceeded FROM charged;
      IF is_exceeded THEN
        refused := refuse_calls(
          subjects, minute_sums, day_sums, call_ends::integer[], charged::integer[],
          minute_charges::bigint[], day_charges::bigint[]);
        SELECT ${counts} INTO counts FROM unnest(subjects) AS s(name)
        CROSS JOIN LATERAL (SELECT * FROM request_counts WHERE subject = s.name OFFSET 0) c;
      END IF;
    END $$`)
    .execute(db);
  await sql`
    CREATE FUNCTION refuse_calls(
      subjects text[], minute_sums bigint[], day_sums bigint[],
      call_ends integer[], charged integer[], minute_charges bigint[], day_charges bigint[]
    ) RETURNS integer[] LANGUAGE plpgsql VOLATILE
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
    #variable_conflict use_column
    DECLARE
      minutes bigint[];
      days bigint[];
      minute_limits bigint[];
      day_limits bigint[];
      refused integer[] := '{}';
      first_charge integer := 1;
      fits boolean;
      s integer;
    BEGIN
      SELECT array_agg(c.minute_used - a.minute_sum ORDER BY a.number),
             array_agg(c.day_used - a.day_sum ORDER BY a.number),
             array_agg(c.minute_limit ORDER BY a.number),
             array_agg(c.day_limit ORDER BY a.number)
      INTO minutes, days, minute_limits, day_limits
      FROM unnest(subjects, minute_sums, day_sums) WITH ORDINALITY
        AS a(subject, minute_sum, day_sum, number)
      CROSS JOIN LATERAL (
        SELECT * FROM request_counts WHERE subject = a.subject OFFSET 0
      ) c;
      FOR n IN 1 .. cardinality(call_ends) LOOP
        fits := true;
        FOR k IN first_charge .. call_ends[n] LOOP
          s := charged[k];
          fits := fits
            AND (minute_charges[k] = 0 OR minutes[s] + minute_charges[k] <= minute_limits[s])
            AND (day_charges[k] = 0 OR days[s] + day_charges[k] <= day_limits[s]);
        END LOOP;
        IF fits THEN
          FOR k IN first_charge .. call_ends[n] LOOP
            s := charged[k];
            minutes[s] := minutes[s] + minute_charges[k];
            days[s] := days[s] + day_charges[k];
          END LOOP;
        ELSE
          refused := refused || n;
        END IF;
        first_charge := call_ends[n] + 1;
      END LOOP;
      UPDATE request_counts c SET minute_used = a.minute_used, day_used = a.day_used
      FROM unnest(subjects, minutes, days) AS a(subject, minute_used, day_used)
      WHERE c.subject = a.subject;
      RETURN refused;
    END $$`.execute(db);
}
