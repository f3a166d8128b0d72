import { type RawBuilder, sql } from 'kysely';
import type { RunMode } from '../../src/domain/run/report.ts';
import type { RunId } from '../../src/domain/run/run-id.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { hashOf } from './term.ts';

/** Filter of runs. Null or absent fields match every run. */
export interface RunsFilter {
  readonly organisationId: OrganisationId;
  readonly runId?: RunId | null | undefined;
  readonly workspaceId?: WorkspaceId | null | undefined;
  readonly mode?: RunMode | null | undefined;
  /** The whole text. */
  readonly objective?: string | null | undefined;
  readonly protectedOnly?: boolean | undefined;
  /**
   * Bounds of the time when the run was finished, as written by `canonicalInstant`: `from`
   * inclusive, `to` exclusive. A run without that time is never within bounds.
   */
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Condition that a row of `agent_runs r` matches the filter. */
export function wantedRuns(filter: RunsFilter): RawBuilder<boolean> {
  const { organisationId, runId, workspaceId, mode, objective, from, to } = filter;
  const conditions = [sql`r.organisation_id = ${organisationId}`];
  if (runId != null) {
    conditions.push(sql`r.run = (
      SELECT run FROM agent_run_details
      WHERE organisation_id = ${organisationId} AND run_id = ${runId})`);
  }
  if (workspaceId != null) conditions.push(sql`r.workspace_id = ${workspaceId}`);
  if (mode != null) conditions.push(sql`r.mode = ${mode}`);
  if (objective != null) conditions.push(sql`r.objective = ${hashOf(objective)}`);
  if (filter.protectedOnly) conditions.push(sql`r.protected`);
  if (from != null) conditions.push(sql`r.finished_at >= ${from}`);
  if (to != null) conditions.push(sql`r.finished_at < ${to}`);
  return sql`${sql.join(conditions, sql` AND `)}`;
}
