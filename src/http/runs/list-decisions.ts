import { z } from 'zod';
import { queryDecisions } from '../../../projections/agent-runs/query-decisions.ts';
import { runModes } from '../../domain/run/report.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { runId } from '../fields.ts';
import { defineOffloadedRoute } from '../route.ts';
import { decisions, run } from './run-examples.ts';
import { awaitRuns, countPages, runQuery } from './run-query.ts';
import { decisionList } from './run-schema.ts';

export const listDecisions = defineOffloadedRoute({
  operationId: 'listAgentDecisions',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/decisions',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'The decisions of all agent runs; those of the most recently recorded run come first',
  query: {
    schema: z.object({
      ...runQuery,
      runId: runId.optional(),
      mode: z
        .enum(runModes)
        .optional()
        .meta({ description: 'decisions of runs in this mode', examples: ['unattended'] }),
      action: z
        .string()
        .optional()
        .meta({ description: 'decisions with this action; exact match', examples: ['protect'] }),
      // Decisions are stored as they came, so these may be any texts.
      fileHash: z
        .string()
        .optional()
        .meta({
          description: 'decisions with this fileHash; exact match',
          examples: ['568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5'],
        }),
      proofId: z
        .string()
        .optional()
        .meta({
          description: 'decisions with this proofId; exact match',
          examples: ['01M7XT7V10RJ1CFD26ZBSKQXP6'],
        }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  responses: {
    200: {
      description: 'one page of the list',
      schema: decisionList,
      example: {
        success: true,
        data: decisions.map((decision) => ({ ...decision, runId: run.runId })),
        meta: { page: 1, limit: 20, total: 2, totalPages: 1 },
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
    const { items, total } = await queryDecisions(deps.db, wanted);
    const data = items.map(({ runId, decision }) => ({ ...decision, runId }));
    return { status: 200, body: { success: true, data, meta: countPages(query, total) } };
  },
});
