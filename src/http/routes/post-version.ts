import { z } from 'zod';
import { chainRevision } from '../../commands/chain-revision.ts';
import { foreseeRevision } from '../../commands/foresee-upload.ts';
import { documentResponse } from '../document-schema.ts';
import { document, newRevision, pendingDocument } from '../examples/document-examples.ts';
import { classificationText, documentId } from '../fields.ts';
import { findDocument } from '../find-document.ts';
import { keepFile } from '../keep-file.ts';
import { defineUploadRoute } from '../route.ts';

export const postVersion = defineUploadRoute({
  operationId: 'uploadRevision',
  tag: 'Documents',
  method: 'POST',
  path: '/documents/:id/version',
  scope: 'documents:write',
  summary: 'Uploads a new revision of a stored document',
  description:
    'The revision follows the latest of the chain, whichever of its documents is named. Without a ' +
    'classification it inherits that of the latest revision, runId included.',
  headers: ['Prefer'],
  params: { schema: z.object({ id: documentId }) },
  form: {
    schema: z.object({
      agentClassification: classificationText.optional(),
    }),
    refusals: { agentClassification: 'INVALID_CLASSIFICATION' },
    example: {},
  },
  responses: {
    201: {
      description: 'kept, chained and anchored',
      schema: documentResponse,
      example: { success: true, data: newRevision },
    },
    200: {
      description: 'the bytes of the latest revision, which it is',
      schema: documentResponse,
      example: { success: true, alreadyProven: true, data: document },
    },
    202: {
      description: 'queued, as Prefer: respond-async asks for',
      headers: ['Location', 'Preference-Applied'],
      schema: documentResponse,
      example: { success: true, data: { ...pendingDocument, revision: 2 } },
    },
  },
  refusals: [
    'INVALID_CLASSIFICATION',
    'PROOF_NOT_FOUND',
    'ENTITLEMENT_EXCEEDED',
    'FILE_BYTES_NOT_VERIFIED',
    'PROOF_NOT_RECORDED',
    'XRPL_ERROR',
  ],
  before: async ({ caller, params }, deps) =>
    (await findDocument(deps, caller.organisationId, params.id)).document,
  handle: (call, deps, { rootDocumentId }) =>
    keepFile(deps, call, (upload, meta) => ({
      foresee: () => foreseeRevision(deps, { ...upload, rootDocumentId }),
      append: (blobKey, store) =>
        chainRevision({ ...deps, store }, { ...upload, rootDocumentId, blobKey }, meta),
    })),
});
