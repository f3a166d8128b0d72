import { z } from 'zod';
import { listDocumentsOfRun } from '../../../projections/documents/query.ts';
import { bytesOfRun, findRun } from '../../commands/record-run.ts';
import { Refusal } from '../../domain/refusal.ts';
import { costOfBytes, sizeCost } from '../call-cost.ts';
import { viewDocument } from '../document-view.ts';
import { document } from '../examples/document-examples.ts';
import { decisions, run } from '../examples/run-examples.ts';
import { runId } from '../fields.ts';
import { awaitDocuments } from '../find-document.ts';
import { defineOffloadedRoute } from '../route.ts';
import { wholeRunResponse } from '../run-schema.ts';
import { viewRun } from '../run-view.ts';

export const getRun = defineOffloadedRoute({
  operationId: 'getAgentRun',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'A sweep with its decisions, and the documents whose classification names it',
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
  before: ({ caller }, deps) => awaitDocuments(deps, caller.organisationId),
  handle: async ({ caller, params, weigh }, deps) => {
    const { organisationId } = caller;
    await weigh(costOfBytes(await bytesOfRun(deps.store, organisationId, params.id)));
    const records = await listDocumentsOfRun(deps.db, organisationId, params.id);
    const documents = await Promise.all(records.map((record) => viewDocument(deps, record)));
    const run = await findRun(deps.store, organisationId, params.id);
    if (run === null) {
      throw new Refusal('RUN_NOT_FOUND', 'there is no such run in this organisation');
    }
    const data = { ...viewRun(run), decisions: run.decisions, documents };
    return { status: 200, body: { success: true, data } };
  },
});
