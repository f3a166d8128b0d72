import { z } from 'zod';
import { agentRuns } from '../../../projections/agent-runs/project.ts';
import type { OrganisationId, WorkspaceId } from '../../domain/ulid.ts';
import { requireWorkspace } from '../../loading/require-workspace.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import { findLiveBuild } from '../../subscriptions/projection-builds.ts';
import { instant, pageQuery, workspaceId } from '../fields.ts';

/** Query parameters that lists of runs and of decisions share. */
export const runQuery = {
  ...pageQuery,
  workspace: workspaceId.optional(),
  objective: z
    .string()
    .optional()
    .meta({
      description: 'runs with this objective; exact match',
      examples: ['contracts'],
    }),
  from: instant.optional().meta({
    description: 'runs finished at this time or later',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  to: instant.optional().meta({
    description: 'runs finished before this time',
    examples: ['2026-12-01T00:00:00Z'],
  }),
};

/**
 * Refuses a workspace that is not the caller's, then waits until lists show all the caller's runs.
 */
export async function awaitRuns(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
  workspace: WorkspaceId | undefined,
): Promise<void> {
  if (workspace !== undefined) {
    await requireWorkspace(store, { organisationId, workspaceId: workspace });
  }
  // Large runs of other organisations take long to project. Wait only for the organisation's own
  // events.
  const folded = (await findLiveBuild(db, 'agent-runs'))?.position ?? 0;
  const position = await store.lastPositionAfter(organisationId, folded, agentRuns.types);
  if (position !== null) await awaitPosition(db, 'agent-runs', position, { signal });
}

export function countPages({ page, limit }: { page: number; limit: number }, total: number) {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}
