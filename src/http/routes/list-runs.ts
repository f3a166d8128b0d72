import { z } from 'zod';
import { listRuns as queryRuns } from '../../../projections/agent-runs/list-runs.ts';
import { type RunMode, runModes } from '../../domain/run/report.ts';
import { defineRoute } from '../route.ts';
import { awaitRuns, pageMeta, runQuery } from '../run-query.ts';
import { runList } from '../run-schema.ts';
import { viewRun } from '../run-view.ts';

export const listRuns = defineRoute({
  method: 'GET',
  path: '/agent/runs',
  scope: 'documents:read',
  summary: 'The sweeps of agents, the last one recorded first',
  query: {
    schema: z.object({
      ...runQuery,
      mode: z
        .unknown()
        .optional()
        .meta({ enum: [...runModes], description: 'any other value is ignored' }),
      protectedOnly: z
        .unknown()
        .optional()
        .meta({ type: 'string', description: 'true: without sweeps that protected nothing' }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  responses: { 200: { description: 'one page of them', schema: runList } },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, query }, deps) => {
    const { organisationId } = caller;
    const { workspace, mode, protectedOnly, ...asked } = query;
    await awaitRuns(deps, organisationId, workspace);
    const { items, total } = await queryRuns(deps.db, {
      ...asked,
      organisationId,
      workspaceId: workspace ?? null,
      mode: isMode(mode) ? mode : null,
      protectedOnly: protectedOnly === 'true',
    });
    const data = items.map(viewRun);
    return { status: 200, body: { success: true, data, meta: pageMeta(query, total) } };
  },
});

function isMode(value: unknown): value is RunMode {
  return runModes.some((mode) => mode === value);
}
