import { z } from 'zod';
import { listDecisions as queryDecisions } from '../../../projections/agent-runs/list-decisions.ts';
import { runModes } from '../../domain/run/report.ts';
import { decisions, run } from '../examples/run-examples.ts';
import { digest, proofId, runId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { awaitRuns, pageMeta, runQuery } from '../run-query.ts';
import { decisionList } from '../run-schema.ts';

export const listDecisions = defineRoute({
  operationId: 'listAgentDecisions',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/decisions',
  scope: 'documents:read',
  summary: 'The decisions of agents across their sweeps, those of the last one recorded first',
  query: {
    schema: z.object({
      ...runQuery,
      runId: runId.optional(),
      mode: z
        .enum(runModes)
        .optional()
        .meta({ description: 'decisions of runs of this mode', examples: ['unattended'] }),
      action: z
        .string()
        .optional()
        .meta({ description: 'decisions of this action: its whole text', examples: ['protect'] }),
      fileHash: digest.optional(),
      proofId: proofId.optional(),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  responses: {
    200: {
      description: 'one page of them',
      schema: decisionList,
      example: {
        success: true,
        data: decisions.map((decision) => ({ ...decision, runId: run.runId })),
        meta: { page: 1, limit: 20, total: 2, totalPages: 1 },
      },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, query }, deps) => {
    const { organisationId } = caller;
    const { workspace, ...asked } = query;
    await awaitRuns(deps, organisationId, workspace);
    const wanted = { ...asked, organisationId, workspaceId: workspace ?? null };
    const { items, total } = await queryDecisions(deps.db, wanted);
    const data = items.map(({ runId, decision }) => ({ ...decision, runId }));
    return { status: 200, body: { success: true, data, meta: pageMeta(query, total) } };
  },
});
