import { z } from 'zod';
import { listDocumentsOfRun } from '../../../projections/documents/query.ts';
import { findRun } from '../../commands/record-run.ts';
import { Refusal } from '../../domain/refusal.ts';
import { viewDocument } from '../document-view.ts';
import { document } from '../examples/document-examples.ts';
import { decisions, run } from '../examples/run-examples.ts';
import { runId } from '../fields.ts';
import { awaitDocuments } from '../find-document.ts';
import { defineRoute } from '../route.ts';
import { wholeRunResponse } from '../run-schema.ts';
import { viewRun } from '../run-view.ts';

export const getRun = defineRoute({
  operationId: 'getAgentRun',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id',
  scope: 'documents:read',
  summary: 'A sweep with its decisions, and the documents whose classification names it',
  params: { schema: z.object({ id: runId }) },
  responses: {
    200: {
      description: 'the run',
      schema: wholeRunResponse,
      example: { success: true, data: { ...run, decisions, documents: [document] } },
    },
  },
  refusals: ['RUN_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params }, deps) => {
    const { organisationId } = caller;
    await awaitDocuments(deps, organisationId);
    const records = await listDocumentsOfRun(deps.db, organisationId, params.id);
    const documents = await Promise.all(records.map((record) => viewDocument(deps, record)));
    // A run may have 8 MB, which are many times that as they are opened and read.
    const run = await deps.turns.take(`whole runs of ${organisationId}`, () =>
      findRun(deps.store, organisationId, params.id),
    );
    if (run === null) {
      throw new Refusal('RUN_NOT_FOUND', 'there is no such run in this organisation');
    }
    const data = { ...viewRun(run), decisions: run.decisions, documents };
    return { status: 200, body: { success: true, data } };
  },
});
