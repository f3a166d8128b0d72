import { z } from 'zod';
import { documentResponse } from '../document-schema.ts';
import { viewDocument } from '../document-view.ts';
import { document } from '../examples/document-examples.ts';
import { documentId } from '../fields.ts';
import { findDocument } from '../find-document.ts';
import { defineRoute } from '../route.ts';

export const getDocument = defineRoute({
  operationId: 'getDocument',
  tag: 'Documents',
  method: 'GET',
  path: '/documents/:id',
  scope: 'documents:read',
  summary: 'A stored document, of whatever revision',
  params: { schema: z.object({ id: documentId }) },
  responses: {
    200: {
      description: 'the document',
      schema: documentResponse,
      example: { success: true, data: document },
    },
  },
  refusals: ['PROOF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params }, deps) => {
    const record = await findDocument(deps, caller.organisationId, params.id);
    return { status: 200, body: { success: true, data: await viewDocument(deps, record) } };
  },
});
