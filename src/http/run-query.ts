import { z } from 'zod';
import { requireWorkspace } from '../commands/require-workspace.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import { findLiveBuild } from '../subscriptions/projection-builds.ts';
import { instant, pageQuery, workspaceId } from './fields.ts';
import type { RouteDeps } from './route-deps.ts';

/** What lists of runs and of decisions are asked alike. */
export const runQuery = {
  ...pageQuery,
  workspace: workspaceId.optional(),
  objective: z
    .string()
    .optional()
    .meta({
      description: 'runs of this objective: its whole text',
      examples: ['contracts'],
    }),
  from: instant.optional().meta({
    description: 'runs finished then or later',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  to: instant.optional().meta({
    description: 'runs finished before then',
    examples: ['2026-12-01T00:00:00Z'],
  }),
};

/** Refuses what is no workspace of the caller, then waits until lists show all its runs. */
export async function awaitRuns(
  { db, store, signal }: Pick<RouteDeps, 'db' | 'store' | 'signal'>,
  organisationId: OrganisationId,
  workspace: WorkspaceId | undefined,
): Promise<void> {
  if (workspace !== undefined) {
    await requireWorkspace(store, { organisationId, workspaceId: workspace });
  }
  // Large runs of others take long to fold. Without a run of its own among them nobody waits.
  const folded = (await findLiveBuild(db, 'agent-runs'))?.position ?? 0;
  const position = await store.lastPositionAfter(organisationId, folded, 'RunRecorded');
  if (position !== null) await awaitPosition(db, 'agent-runs', position, { signal });
}

export function pageMeta({ page, limit }: { page: number; limit: number }, total: number) {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}
