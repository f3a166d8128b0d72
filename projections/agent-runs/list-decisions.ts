import { sql } from 'kysely';
import type { RunId } from '../../src/domain/run/run-id.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { type DecisionsFilter, decisionHits } from './decision-hits.ts';
import type { DecisionRecord } from './record.ts';

export interface DecisionsQuery extends DecisionsFilter {
  /** From 1, of `limit` decisions each. */
  readonly page: number;
  readonly limit: number;
}

export interface DecisionsPage {
  readonly items: readonly DecisionRecord[];
  /** Of all pages, exact. */
  readonly total: number;
}

/**
 * One page of an organisation's decisions, those of the last run recorded first and each run's in
 * its order, with their total, both of one moment. How many hits each run has is known without
 * looking at a decision: the page is found by these counts, and only its own decisions are read.
 */
export async function listDecisions(db: ReadModels, query: DecisionsQuery): Promise<DecisionsPage> {
  const { page, limit } = query;
  const bounds = { offset: (page - 1) * limit, limit };
  // LIMIT where there cannot be more, and OFFSET 0: the planner would take the page for large, and
  // read whole tables for it.
  const { rows } = await sql<{ total: number; run_id: RunId; decision: string | null }>`
    WITH ${decisionHits(query, bounds)},
    page AS MATERIALIZED (
      SELECT needed.run, hit.index
      FROM needed CROSS JOIN LATERAL (
        SELECT generate_series(greatest(0, skipped), least(found, skipped + ${limit}) - 1)::smallint
          AS index
        WHERE indexes IS NULL
        UNION ALL
        SELECT unnest(indexes[greatest(1, skipped + 1)::int : (skipped + ${limit})::int])
      ) hit
      LIMIT ${limit}
    )
    SELECT (SELECT total FROM total) AS total, item.run_id, item.decision
    FROM (VALUES (1)) AS always
    LEFT JOIN (
      SELECT page.run, page.index, details.run_id, own.decision
      FROM page
      CROSS JOIN LATERAL (
        SELECT decision FROM agent_decisions WHERE run = page.run AND index = page.index OFFSET 0
      ) own
      CROSS JOIN LATERAL (
        SELECT run_id FROM agent_run_details WHERE run = page.run OFFSET 0
      ) details
    ) item ON true
    ORDER BY item.run DESC, item.index`.execute(db);
  return {
    items: rows.flatMap(({ run_id: runId, decision }) =>
      decision === null ? [] : [{ runId, decision: JSON.parse(decision) }],
    ),
    total: rows[0]?.total ?? 0,
  };
}
