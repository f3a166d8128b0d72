import { z } from 'zod';
import { queryRuns } from '../../../projections/agent-runs/query-runs.ts';
import { runModes } from '../../domain/run/report.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { viewRun } from '../../views/run-view.ts';
import { readBoolean } from '../fields.ts';
import { deepPageCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { run } from './run-examples.ts';
import { awaitRuns, countPages, runQuery } from './run-query.ts';
import { runList } from './run-schema.ts';

/** Accepts any value; unknown values are ignored. */
const anything = z.unknown().optional();

export const listRuns = defineOffloadedRoute({
  operationId: 'listAgentRuns',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'The runs (sweeps) of agents, most recently recorded first',
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
        .transform((value) => readBoolean(value) === true)
        .meta({
          type: 'string',
          description: 'true: only runs that protected something; any other value is ignored',
          examples: ['true'],
        }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  cost: deepPageCost('sweeps'),
  responses: {
    200: {
      description: 'one page of the list',
      schema: runList,
      example: {
        success: true,
        data: [run],
        meta: { page: 1, limit: 20, total: 1, totalPages: 1 },
      },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  before: ({ caller, query }, deps: ReadDeps) =>
    awaitRuns(deps, caller.organisationId, query.workspace),
  handle: async ({ caller, query }, deps: Pick<ReadDeps, 'db'>) => {
    const { organisationId } = caller;
    const { workspace, ...asked } = query;
    const wanted = { ...asked, organisationId, workspaceId: workspace ?? null };
    const { items, total } = await queryRuns(deps.db, wanted);
    const data = items.map(viewRun);
    return { status: 200, body: { success: true, data, meta: countPages(query, total) } };
  },
});
