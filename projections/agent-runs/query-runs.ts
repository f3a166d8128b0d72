import { sql } from 'kysely';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { RunRecord, RunReported } from './record.ts';
import { type RunsFilter, wantedRuns } from './runs-filter.ts';

export interface RunsQuery extends RunsFilter {
  /** Page number from 1; a page has `limit` runs. */
  readonly page: number;
  readonly limit: number;
}

interface RunsPage {
  readonly items: readonly RunRecord[];
  /** Exact number on all pages. */
  readonly total: number;
}

/**
 * One page of an organisation's runs, the last recorded first, with their total, both of one
 * moment.
 */
export async function queryRuns(db: ReadModels, query: RunsQuery): Promise<RunsPage> {
  const { page, limit } = query;
  // OFFSET 0 forces a look-up of each row's details, whatever the planner estimates.
  const { rows } = await sql<{ total: number } & (RecordRow | { record: null })>`
    WITH hits AS MATERIALIZED (
      SELECT r.run, r.protected FROM agent_runs r WHERE ${wantedRuns(query)}
    ),
    page AS MATERIALIZED (
      SELECT run, protected FROM hits ORDER BY run DESC OFFSET ${(page - 1) * limit} LIMIT ${limit}
    )
    SELECT (SELECT count(*) FROM hits) AS total, item.record, item.protected
    FROM (VALUES (1)) AS always
    LEFT JOIN (
      SELECT page.run, page.protected, details.record
      FROM page
      CROSS JOIN LATERAL (
        SELECT record FROM agent_run_details WHERE run = page.run OFFSET 0
      ) details
    ) item ON true
    ORDER BY item.run DESC`.execute(db);
  return {
    items: rows.flatMap((row) => (row.record === null ? [] : [toRecord(row)])),
    total: rows[0]?.total ?? 0,
  };
}

/** The run whose event is at this log position, as lists show it; null if there is none. */
export async function findRunAt(db: ReadModels, position: number): Promise<RunRecord | null> {
  const { rows } = await sql<RecordRow>`
    SELECT d.record, r.protected FROM agent_run_details d JOIN agent_runs r USING (run)
    WHERE d.run = ${position}`.execute(db);
  return rows[0] === undefined ? null : toRecord(rows[0]);
}

interface RecordRow {
  readonly record: string;
  readonly protected: boolean;
}

function toRecord(row: RecordRow): RunRecord {
  return { ...(JSON.parse(row.record) as RunReported), isProtective: row.protected };
}
