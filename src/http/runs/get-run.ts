import { z } from 'zod';
import { countDocumentsOfRun, queryDocumentsOfRun } from '../../../projections/documents/query.ts';
import { bytesOfRun, loadRun } from '../../loading/find-run.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { viewDocument } from '../../views/document-view.ts';
import { viewRun } from '../../views/run-view.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { document } from '../documents/document-examples.ts';
import { awaitDocuments } from '../documents/find-document.ts';
import { pageQuery, runId } from '../fields.ts';
import { costOfRun, runCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { decisions, run } from './run-examples.ts';
import { proofOfRun, viewRunProof } from './run-proof.ts';
import { mostDocuments, wholeRunResponse } from './run-schema.ts';

export const getRun = defineOffloadedRoute({
  operationId: 'getAgentRun',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'An agent run with its decisions, and the documents whose classification names the run',
  params: { schema: z.object({ id: runId }) },
  query: {
    schema: z.object({
      documentsPage: pageQuery.page.meta({
        description: `the page of the documents, ${mostDocuments} each, from 1`,
        examples: [2],
      }),
    }),
  },
  cost: runCost,
  responses: {
    200: {
      description: 'the run',
      schema: wholeRunResponse,
      example: {
        success: true,
        data: { ...run, decisions, documents: [document], documentsTotal: 1 },
      },
    },
  },
  refusals: ['RUN_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  before: ({ caller }, deps: ReadDeps) => awaitDocuments(deps, caller.organisationId),
  handle: async ({ caller, params, query, weigh }, deps: Omit<ViewDeps, 'signal'>) => {
    const { organisationId } = caller;
    const total = await countDocumentsOfRun(deps.db, organisationId, params.id);
    const page = { page: query.documentsPage, limit: mostDocuments };
    const passed = Math.min(total, (page.page - 1) * page.limit);
    const shown = Math.min(mostDocuments, total - passed);
    const bytes = await bytesOfRun(deps.store, organisationId, params.id);
    await weigh(costOfRun(bytes, { shown, passed }));
    const run = await loadRun(deps.store, organisationId, params.id);
    const records =
      shown === 0 ? [] : await queryDocumentsOfRun(deps.db, organisationId, params.id, page);
    const documents = await Promise.all(records.map((record) => viewDocument(deps, record)));
    const isProtective = run.reportsProtection || total > 0;
    const proof = await viewRunProof(deps, await proofOfRun(deps.store, run));
    const listed = viewRun({ ...run, isProtective });
    const more = { decisions: run.decisions, documents, documentsTotal: total };
    const data = { ...listed, ...proof, ...more };
    return { status: 200, body: { success: true, data } };
  },
});
