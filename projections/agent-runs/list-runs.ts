import { sql } from 'kysely';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { RunRecord } from './record.ts';
import { type RunsFilter, wantedRuns } from './runs-filter.ts';

export interface RunsQuery extends RunsFilter {
  /** From 1, of `limit` runs each. */
  readonly page: number;
  readonly limit: number;
}

export interface RunsPage {
  readonly items: readonly RunRecord[];
  /** Of all pages, exact. */
  readonly total: number;
}

/**
 * One page of an organisation's runs, the last one recorded first, with their total, both of one
 * moment.
 */
export async function listRuns(db: ReadModels, query: RunsQuery): Promise<RunsPage> {
  const { page, limit } = query;
  // OFFSET 0: the details of a page are looked up one by one, whatever the planner thinks of it.
  const { rows } = await sql<{ total: number; record: string | null }>`
    WITH hits AS MATERIALIZED (SELECT r.run FROM agent_runs r WHERE ${wantedRuns(query)}),
    page AS MATERIALIZED (
      SELECT run FROM hits ORDER BY run DESC OFFSET ${(page - 1) * limit} LIMIT ${limit}
    )
    SELECT (SELECT count(*) FROM hits) AS total, item.record
    FROM (VALUES (1)) AS always
    LEFT JOIN (
      SELECT page.run, details.record
      FROM page
      CROSS JOIN LATERAL (
        SELECT record FROM agent_run_details WHERE run = page.run OFFSET 0
      ) details
    ) item ON true
    ORDER BY item.run DESC`.execute(db);
  return {
    items: rows.flatMap(({ record }) => (record === null ? [] : [JSON.parse(record)])),
    total: rows[0]?.total ?? 0,
  };
}
