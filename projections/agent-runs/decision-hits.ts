import { type RawBuilder, sql } from 'kysely';
import { isFiltered, type RunsFilter, wantedRuns } from './runs-filter.ts';
import { termFields, termOf } from './term.ts';

/** What is asked of the runs, and of the decisions in them: whole values. */
export interface DecisionsFilter extends RunsFilter {
  readonly action?: string | null | undefined;
  readonly fileHash?: string | null | undefined;
  readonly proofId?: string | null | undefined;
}

/** The terms that decisions must have, all of them. */
export function termsOf(filter: DecisionsFilter): readonly Buffer[] {
  return termFields.flatMap((field) => {
    const value = filter[field];
    return value == null ? [] : [termOf(filter.organisationId, field, value)];
  });
}

/** `run` and how many decisions of it are `found`; with several terms also their `indexes`. */
export function hitsPerRun(filter: DecisionsFilter, terms: readonly Buffer[]): RawBuilder<unknown> {
  const [first, ...others] = terms;
  if (first === undefined) {
    return sql`SELECT r.run, r.decisions AS found FROM agent_runs r WHERE ${wantedRuns(filter)}`;
  }
  // A term is of one organisation: without another filter its runs need not be looked at.
  const ofRuns = isFiltered(filter)
    ? sql`JOIN agent_runs r ON r.run = t.run AND ${wantedRuns(filter)}`
    : sql``;
  if (others.length === 0) {
    return sql`
      SELECT t.run, t.decisions AS found FROM agent_decision_terms t ${ofRuns}
      WHERE t.term = ${first}`;
  }
  const joined = others.map((term, n) => {
    const other = sql.ref(`other${n}`);
    return sql`JOIN agent_decision_terms ${other} ON ${other}.term = ${term} AND ${other}.run = t.run`;
  });
  const indexes = others.map((_, n) => sql`SELECT unnest(${sql.ref(`other${n}.indexes`)})`);
  return sql`
    SELECT run, cardinality(indexes) AS found, indexes
    FROM (
      SELECT t.run, ARRAY(
        SELECT unnest(t.indexes) INTERSECT ${sql.join(indexes, sql` INTERSECT `)} ORDER BY 1
      ) AS indexes
      FROM agent_decision_terms t ${sql.join(joined, sql` `)} ${ofRuns}
      WHERE t.term = ${first}
    ) matched`;
}

/**
 * `run` and `index` of the decisions of a page, from the runs `needed` for it: of each, the first
 * `skipped` hits stand on pages before (where negative, so many of the page come from runs before).
 */
export function indexesOfPage(terms: readonly Buffer[], limit: number): RawBuilder<unknown> {
  const [first] = terms;
  if (first === undefined) {
    return sql`
      SELECT run, index::smallint FROM needed
      CROSS JOIN LATERAL
        generate_series(greatest(0, skipped), least(found, skipped + ${limit}) - 1) AS index`;
  }
  const all =
    terms.length > 1
      ? sql`(SELECT needed.indexes)`
      : sql`(SELECT indexes FROM agent_decision_terms WHERE term = ${first} AND run = needed.run)`;
  return sql`
    SELECT run, index FROM needed
    CROSS JOIN LATERAL unnest(
      (${all})[greatest(1, skipped + 1)::int : (skipped + ${limit})::int]
    ) AS index`;
}
