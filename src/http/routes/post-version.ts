import { z } from 'zod';
import { chainRevision } from '../../commands/chain-revision.ts';
import { foreseeRevision } from '../../commands/foresee-upload.ts';
import { documentResponse } from '../document-schema.ts';
import { classificationText, documentId } from '../fields.ts';
import { findDocument } from '../find-document.ts';
import { keepFile } from '../keep-file.ts';
import { defineUploadRoute } from '../route.ts';

export const postVersion = defineUploadRoute({
  method: 'POST',
  path: '/documents/:id/version',
  scope: 'documents:write',
  summary: 'Uploads a new revision of a stored document',
  params: { schema: z.object({ id: documentId }) },
  form: {
    schema: z.object({
      agentClassification: classificationText.optional(),
    }),
    refusals: { agentClassification: 'INVALID_CLASSIFICATION' },
  },
  responses: {
    201: { description: 'kept, chained and anchored', schema: documentResponse },
    200: { description: 'the bytes of the latest revision, which it is', schema: documentResponse },
    202: { description: 'queued, as Prefer: respond-async asks for', schema: documentResponse },
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
