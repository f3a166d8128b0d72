import { z } from 'zod';
import { foreseeDocument } from '../../commands/foresee-upload.ts';
import { storeDocument } from '../../commands/store-document.ts';
import { documentResponse } from '../document-schema.ts';
import { document, newDocument, pendingDocument } from '../examples/document-examples.ts';
import { workspace } from '../examples/proof-examples.ts';
import { classificationText, formText, workspaceId } from '../fields.ts';
import { keepFile } from '../keep-file.ts';
import { defineUploadRoute } from '../route.ts';

export const postDocument = defineUploadRoute({
  operationId: 'uploadDocument',
  tag: 'Documents',
  method: 'POST',
  path: '/documents',
  scope: 'documents:write',
  summary: 'Uploads a file and proves it',
  description:
    'The file is kept before its proof is settled: `502 PROOF_NOT_RECORDED` means that it will be ' +
    'anchored without you. Its leading bytes must be what its name claims. Each upload that makes a ' +
    "proof costs one unit of the month's allowance.",
  headers: ['Prefer'],
  form: {
    schema: z.object({
      workspace: workspaceId,
      description: formText(500).optional(),
      agentClassification: classificationText.optional(),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE', agentClassification: 'INVALID_CLASSIFICATION' },
    example: { workspace, description: 'the first page' },
  },
  responses: {
    201: {
      description:
        'kept and anchored; alreadyProven if its hash was proven before without the file',
      schema: documentResponse,
      example: { success: true, data: newDocument },
    },
    200: {
      description: 'these bytes are kept already: the original',
      schema: documentResponse,
      example: { success: true, alreadyProven: true, data: document },
    },
    202: {
      description: 'queued, as Prefer: respond-async asks for',
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
  handle: (call, deps) =>
    keepFile(deps, call, (upload, meta) => {
      const place = { workspaceId: call.body.workspace };
      return {
        foresee: () => foreseeDocument(deps, { ...upload, ...place }),
        append: (blobKey, store) =>
          storeDocument({ ...deps, store }, { ...upload, ...place, blobKey }, meta),
      };
    }),
});
