import { z } from 'zod';
import { listDocumentsOfRun } from '../../../projections/documents/query.ts';
import { bytesOfRun, loadRun } from '../../loading/find-run.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { viewDocument } from '../../views/document-view.ts';
import { viewRun } from '../../views/run-view.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { document } from '../documents/document-examples.ts';
import { awaitDocuments } from '../documents/find-document.ts';
import { runId } from '../fields.ts';
import { costOfBytes, sizeCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { decisions, run } from './run-examples.ts';
import { proofOfRun, viewRunProof } from './run-proof.ts';
import { wholeRunResponse } from './run-schema.ts';

export const getRun = defineOffloadedRoute({
  operationId: 'getAgentRun',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'An agent run with its decisions, and the documents whose classification names the run',
  params: { schema: z.object({ id: runId }) },
  cost: sizeCost('the stored run (11 for a report of 8 MB)'),
  responses: {
    200: {
      description: 'the run',
      schema: wholeRunResponse,
      example: { success: true, data: { ...run, decisions, documents: [document] } },
    },
  },
  refusals: ['RUN_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  before: ({ caller }, deps: ReadDeps) => awaitDocuments(deps, caller.organisationId),
  handle: async ({ caller, params, weigh }, deps: Omit<ViewDeps, 'signal'>) => {
    const { organisationId } = caller;
    await weigh(costOfBytes(await bytesOfRun(deps.store, organisationId, params.id)));
    const records = await listDocumentsOfRun(deps.db, organisationId, params.id);
    const documents = await Promise.all(records.map((record) => viewDocument(deps, record)));
    const run = await loadRun(deps.store, organisationId, params.id);
    const isProtective = run.reportsProtection || records.length > 0;
    const proof = await viewRunProof(deps, await proofOfRun(deps.store, run));
    const listed = viewRun({ ...run, isProtective });
    const data = { ...listed, ...proof, decisions: run.decisions, documents };
    return { status: 200, body: { success: true, data } };
  },
});
