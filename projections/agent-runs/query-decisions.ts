import { sql } from 'kysely';
import type { RunId } from '../../src/domain/run/run-id.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { type DecisionsFilter, decisionHits } from './decision-hits.ts';
import type { DecisionRecord } from './record.ts';

export interface DecisionsQuery extends DecisionsFilter {
  /** Page number from 1; a page has `limit` decisions. */
  readonly page: number;
  readonly limit: number;
}

interface DecisionsPage {
  readonly items: readonly DecisionRecord[];
  /** Exact number on all pages. */
  readonly total: number;
}

/**
 * One page of an organisation's decisions with their total, both of one moment. The newest run
 * comes first; the decisions of a run keep their order. The hits per run are counted without
 * reading decisions. These counts locate the page, and only its decisions are read.
 */
export async function queryDecisions(
  db: ReadModels,
  query: DecisionsQuery,
): Promise<DecisionsPage> {
  const { page, limit } = query;
  const bounds = { offset: (page - 1) * limit, limit };
  // The LIMIT never cuts rows. With OFFSET 0 it keeps the planner from estimating a large page and
  // reading whole tables.
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
