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
  const { rows } = await sql<{ total: number; record: string | null }>`
    WITH hits AS MATERIALIZED (
      SELECT r.run FROM agent_runs r WHERE ${wantedRuns(query)} ORDER BY r.run DESC
    ),
    page AS (SELECT run FROM hits ORDER BY run DESC OFFSET ${(page - 1) * limit} LIMIT ${limit})
    SELECT (SELECT count(*) FROM hits) AS total, d.record
    FROM (VALUES (1)) AS always
    LEFT JOIN (page JOIN agent_run_details d USING (run)) ON true
    ORDER BY page.run DESC`.execute(db);
  return {
    items: rows.flatMap(({ record }) => (record === null ? [] : [JSON.parse(record)])),
    total: rows[0]?.total ?? 0,
  };
}
