import { z } from 'zod';
import { queryVersions } from '../../../projections/documents/query.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { documentVersions } from '../../views/document-schema.ts';
import { viewDocument } from '../../views/document-view.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { documentId } from '../fields.ts';
import { defineOffloadedRoute } from '../route.ts';
import { document, newRevision } from './document-examples.ts';
import { awaitDocuments, readDocument } from './find-document.ts';

export const listVersions = defineOffloadedRoute({
  operationId: 'listDocumentVersions',
  tag: 'Documents',
  method: 'GET',
  path: '/documents/:id/versions',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'All revisions of a stored document, the first upload first',
  params: { schema: z.object({ id: documentId }) },
  responses: {
    200: {
      description: 'the revisions',
      schema: documentVersions,
      example: { success: true, data: [document, { ...newRevision, proofNonce: null }] },
    },
  },
  refusals: ['PROOF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  before: ({ caller }, deps: ReadDeps) => awaitDocuments(deps, caller.organisationId),
  handle: async ({ caller, params }, deps: Pick<ViewDeps, 'db' | 'ledgers' | 'publicUrl'>) => {
    const { organisationId } = caller;
    const { document } = await readDocument(deps.db, organisationId, params.id);
    const records = await queryVersions(deps.db, organisationId, document.rootDocumentId);
    const data = await Promise.all(records.map((record) => viewDocument(deps, record)));
    return { status: 200, body: { success: true, data } };
  },
});
