import { z } from 'zod';
import { documentResponse } from '../../views/document-schema.ts';
import { viewDocument } from '../../views/document-view.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { documentId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { document } from './document-examples.ts';
import { findDocument } from './find-document.ts';

export const getDocument = defineRoute({
  operationId: 'getDocument',
  tag: 'Documents',
  method: 'GET',
  path: '/documents/:id',
  scope: 'documents:read',
  summary: 'A stored document, of any revision',
  params: { schema: z.object({ id: documentId }) },
  responses: {
    200: {
      description: 'the document',
      schema: documentResponse,
      example: { success: true, data: document },
    },
  },
  refusals: ['PROOF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params }, deps: ViewDeps) => {
    const record = await findDocument(deps, caller.organisationId, params.id);
    return { status: 200, body: { success: true, data: await viewDocument(deps, record) } };
  },
});
