import { z } from 'zod';
import { chainRevision } from '../../commands/chain-revision.ts';
import { foreseeRevision } from '../../loading/foresee-upload.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { documentResponse } from '../../views/document-schema.ts';
import { classificationText, documentId } from '../fields.ts';
import { defineUploadRoute } from '../route.ts';
import { document, newRevision, pendingDocument } from './document-examples.ts';
import { findDocument } from './find-document.ts';
import { type StoreUploadDeps, storeUpload } from './store-upload.ts';

/** Dependencies of finding the document, and of storing its revision. */
type Deps = StoreUploadDeps & ReadDeps;

export const postVersion = defineUploadRoute({
  operationId: 'uploadRevision',
  tag: 'Documents',
  method: 'POST',
  path: '/documents/:id/version',
  scope: 'documents:write',
  summary: 'Uploads a new revision of a stored document',
  description:
    'The new revision follows the latest revision of the chain, whichever document of the chain the ' +
    'path names. If agentClassification is left out, the new revision inherits the classification of ' +
    'the latest revision, including its runId. A document can have at most 1,000 revisions. ' +
    '`502 PROOF_NOT_RECORDED` means that the revision is stored and will be anchored without another ' +
    'call. Do not upload it again then, or after a broken connection: if another revision followed ' +
    'meanwhile, the same bytes would become one more. Look at the versions first.',
  headers: ['Prefer'],
  params: { schema: z.object({ id: documentId }) },
  form: {
    schema: z.object({
      agentClassification: classificationText,
    }),
    refusals: { agentClassification: 'INVALID_CLASSIFICATION' },
    example: {},
  },
  responses: {
    201: {
      description: 'stored, chained and anchored',
      schema: documentResponse,
      example: { success: true, data: newRevision },
    },
    200: {
      description: 'unchanged: the bytes are those of the latest revision, which is returned',
      schema: documentResponse,
      example: { success: true, alreadyProven: true, data: document },
    },
    202: {
      description: 'queued, as requested by Prefer: respond-async',
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
  before: async ({ caller, params }, deps: Deps) =>
    (await findDocument(deps, caller.organisationId, params.id)).document,
  handle: (call, deps: Deps, { rootDocumentId }) =>
    storeUpload(deps, call, (upload, meta) => ({
      foresee: () => foreseeRevision(deps.uploads, { ...upload, rootDocumentId }),
      append: (blobKey, store) =>
        chainRevision({ ...deps.uploads, store }, { ...upload, rootDocumentId, blobKey }, meta),
    })),
});
