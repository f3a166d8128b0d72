import { z } from 'zod';
import { storeDocument } from '../../commands/store-document.ts';
import { foreseeDocument } from '../../loading/foresee-upload.ts';
import { documentResponse } from '../../views/document-schema.ts';
import { classificationText, formText, jsonText, workspaceId } from '../fields.ts';
import { workspace } from '../proofs/proof-examples.ts';
import { defineUploadRoute } from '../route.ts';
import { document, newDocument, pendingDocument } from './document-examples.ts';
import { type StoreUploadDeps, storeUpload } from './store-upload.ts';

export const postDocument = defineUploadRoute({
  operationId: 'uploadDocument',
  tag: 'Documents',
  method: 'POST',
  path: '/documents',
  scope: 'documents:write',
  summary: 'Uploads a file and proves it',
  description:
    'The file is stored before its proof is settled: `502 PROOF_NOT_RECORDED` means that the file is ' +
    'stored and will be anchored without another call. The leading bytes of the file must match the ' +
    'type that its name claims. Each upload that creates a proof uses one unit of the monthly upload ' +
    'allowance.',
  headers: ['Prefer'],
  form: {
    schema: z.object({
      workspace: workspaceId,
      description: formText(500).optional(),
      metadata: jsonText(
        'a JSON object of at most 16 kB, as metadata of POST /proofs; an empty one counts as absent',
      ),
      agentClassification: classificationText,
    }),
    refusals: { workspace: 'INVALID_WORKSPACE', agentClassification: 'INVALID_CLASSIFICATION' },
    example: { workspace, description: 'the first page', metadata: '{"caseNumber":"2026-114"}' },
  },
  responses: {
    201: {
      description:
        'stored and anchored; alreadyProven if the hash was proven earlier, without the file',
      schema: documentResponse,
      example: { success: true, data: newDocument },
    },
    200: {
      description: 'already stored: the original document',
      schema: documentResponse,
      example: { success: true, alreadyProven: true, data: document },
    },
    202: {
      description: 'queued, as requested by Prefer: respond-async',
      headers: ['Location', 'Preference-Applied'],
      schema: documentResponse,
      example: { success: true, data: pendingDocument },
    },
  },
  refusals: [
    'INVALID_WORKSPACE',
    'INVALID_CLASSIFICATION',
    'ENTITLEMENT_EXCEEDED',
    'FILE_BYTES_NOT_VERIFIED',
    'PROOF_NOT_RECORDED',
    'XRPL_ERROR',
  ],
  handle: (call, deps: StoreUploadDeps) =>
    storeUpload(deps, call, (upload, meta) => {
      const target = { workspaceId: call.body.workspace };
      return {
        foresee: () => foreseeDocument(deps.uploads, { ...upload, ...target }),
        append: (blobKey, store) =>
          storeDocument({ ...deps.uploads, store }, { ...upload, ...target, blobKey }, meta),
      };
    }),
});
