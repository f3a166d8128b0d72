import { z } from 'zod';
import { listRuns as queryRuns } from '../../../projections/agent-runs/list-runs.ts';
import { runModes } from '../../domain/run/report.ts';
import { deepPageCost } from '../call-cost.ts';
import { run } from '../examples/run-examples.ts';
import { defineOffloadedRoute } from '../route.ts';
import { awaitRuns, pageMeta, runQuery } from '../run-query.ts';
import { runList } from '../run-schema.ts';
import { viewRun } from '../run-view.ts';

/** Of what is no known value nothing is said, whatever it is. */
const anything = z.unknown().optional();

export const listRuns = defineOffloadedRoute({
  operationId: 'listAgentRuns',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'The sweeps of agents, the last one recorded first',
  query: {
    schema: z.object({
      ...runQuery,
      mode: anything
        .transform((value) => runModes.find((mode) => mode === value) ?? null)
        .meta({
          anyOf: [{ type: 'string', enum: [...runModes] }, { type: 'string' }],
          description: `${runModes.join(' or ')}; any other value is ignored`,
          examples: ['unattended'],
        }),
      protectedOnly: anything
        .transform((value) => value === 'true')
        .meta({
          type: 'string',
          description: 'true: without sweeps that protected nothing; anything else is ignored',
          examples: ['true'],
        }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  cost: deepPageCost('sweeps'),
  responses: {
    200: {
      description: 'one page of them',
      schema: runList,
      example: {
        success: true,
        data: [run],
        meta: { page: 1, limit: 20, total: 1, totalPages: 1 },
      },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  before: ({ caller, query }, deps) => awaitRuns(deps, caller.organisationId, query.workspace),
  handle: async ({ caller, query }, deps) => {
    const { organisationId } = caller;
    const { workspace, ...asked } = query;
    const wanted = { ...asked, organisationId, workspaceId: workspace ?? null };
    const { items, total } = await queryRuns(deps.db, wanted);
    const data = items.map(viewRun);
    return { status: 200, body: { success: true, data, meta: pageMeta(query, total) } };
  },
});
