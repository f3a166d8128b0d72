import { type RawBuilder, sql } from 'kysely';
import { type RunsFilter, wantedRuns } from './runs-filter.ts';
import { decisionFields, runFields, termOf } from './term.ts';

/** Filter of runs and of their decisions, by whole values. */
export interface DecisionsFilter extends RunsFilter {
  readonly action?: string | null | undefined;
  readonly fileHash?: string | null | undefined;
  readonly proofId?: string | null | undefined;
}

interface PageBounds {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Queries for `total` and the runs `needed` for a page. For each run: `found` is its number of
 * hits; `indexes` are the indexes of the hits (null for all); `skipped` is the number of its hits
 * on earlier pages. If `skipped` is negative, its absolute value is the number of the page's hits
 * from newer runs.
 */
export function decisionHits(filter: DecisionsFilter, page: PageBounds): RawBuilder<unknown> {
  const term = onlyTerm(filter);
  return term === null ? countedNow(filter, page) : countedBefore(term, page);
}

/** The only term of the filter; null if it has several terms, or a condition that is no term. */
function onlyTerm(filter: DecisionsFilter): Buffer | null {
  const { organisationId, runId, from, to, protectedOnly = false } = filter;
  if (protectedOnly || [runId, from, to].some((value) => value != null)) return null;
  const [first, ...others] = [...runFields, ...decisionFields].flatMap((field) => {
    const value = filter[field];
    return value == null ? [] : [termOf(organisationId, field, value)];
  });
  return others.length === 0 ? (first ?? termOf(organisationId, 'any')) : null;
}

/** Uses the stored counts of a term: reads a few rows for any page. */
function countedBefore(term: Buffer, { offset, limit }: PageBounds): RawBuilder<unknown> {
  return sql`
    total AS MATERIALIZED (
      SELECT coalesce((
        SELECT through FROM agent_decision_terms WHERE term = ${term}
        ORDER BY through DESC LIMIT 1
      ), 0) AS total
    ),
    needed AS MATERIALIZED (
      SELECT t.run, t.decisions AS found, t.indexes,
             ${offset}::bigint - total.total + t.through AS skipped
      FROM total CROSS JOIN LATERAL (
        SELECT * FROM agent_decision_terms
        WHERE term = ${term} AND through > total.total - ${offset}::bigint - ${limit}
        ORDER BY through LIMIT ${limit}
      ) t
      WHERE t.through - t.decisions < total.total - ${offset}::bigint
    )`;
}

/** Counts the hits of every run. */
function countedNow(filter: DecisionsFilter, { offset, limit }: PageBounds): RawBuilder<unknown> {
  // The LIMIT never cuts rows. It keeps the planner from estimating a large part of the table.
  return sql`
    hits AS MATERIALIZED (${hitsPerRun(filter)}),
    total AS (SELECT coalesce(sum(found), 0)::bigint AS total FROM hits),
    ranked AS (
      SELECT *, sum(found) OVER (ORDER BY run DESC ROWS UNBOUNDED PRECEDING) - found AS newer
      FROM hits WHERE found > 0
    ),
    needed AS MATERIALIZED (
      SELECT run, found, indexes, ${offset}::bigint - newer AS skipped FROM ranked
      WHERE newer < ${offset}::bigint + ${limit} AND newer + found > ${offset}::bigint
      LIMIT ${limit}
    )`;
}

function hitsPerRun(filter: DecisionsFilter): RawBuilder<unknown> {
  const [first, ...others] = decisionFields.flatMap((field) => {
    const value = filter[field];
    return value == null ? [] : [termOf(filter.organisationId, field, value)];
  });
  if (first === undefined) {
    return sql`
      SELECT r.run, r.decisions AS found, NULL::smallint[] AS indexes
      FROM agent_runs r WHERE ${wantedRuns(filter)}`;
  }
  const joined = others.map((term, n) => {
    const other = sql.ref(`other${n}`);
    return sql`JOIN agent_decision_terms ${other} ON ${other}.term = ${term} AND ${other}.run = t.run`;
  });
  const ofRuns = sql`
    FROM agent_decision_terms t ${sql.join(joined, sql` `)}
    JOIN agent_runs r ON r.run = t.run AND ${wantedRuns(filter)}
    WHERE t.term = ${first}`;
  if (others.length === 0) return sql`SELECT t.run, t.decisions AS found, t.indexes ${ofRuns}`;
  const indexes = others.map((_, n) => sql`SELECT unnest(${sql.ref(`other${n}.indexes`)})`);
  return sql`
    SELECT run, cardinality(indexes) AS found, indexes
    FROM (
      SELECT t.run, ARRAY(
        SELECT unnest(t.indexes) INTERSECT ${sql.join(indexes, sql` INTERSECT `)} ORDER BY 1
      ) AS indexes
      ${ofRuns}
    ) matched`;
}
