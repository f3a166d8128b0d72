import { z } from 'zod';
import { foreseeDocument } from '../../commands/foresee-upload.ts';
import { storeDocument } from '../../commands/store-document.ts';
import { documentResponse } from '../document-schema.ts';
import { classificationText, formText, workspaceId } from '../fields.ts';
import { keepFile } from '../keep-file.ts';
import { defineUploadRoute } from '../route.ts';

export const postDocument = defineUploadRoute({
  method: 'POST',
  path: '/documents',
  scope: 'documents:write',
  summary: 'Uploads a file and proves it',
  form: {
    schema: z.object({
      workspace: workspaceId,
      description: formText(500).optional(),
      agentClassification: classificationText.optional(),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE', agentClassification: 'INVALID_CLASSIFICATION' },
  },
  responses: {
    201: { description: 'kept and anchored', schema: documentResponse },
    200: { description: 'these bytes are kept already: the original', schema: documentResponse },
    202: { description: 'queued, as Prefer: respond-async asks for', schema: documentResponse },
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
