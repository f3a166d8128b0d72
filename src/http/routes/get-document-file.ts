import { z } from 'zod';
import { attachment } from '../content-disposition.ts';
import { documentId } from '../fields.ts';
import { findDocument } from '../find-document.ts';
import { openFile } from '../open-file.ts';
import { defineRoute } from '../route.ts';

export const getDocumentFile = defineRoute({
  operationId: 'getDocumentFile',
  tag: 'Documents',
  method: 'GET',
  path: '/documents/:id/file',
  scope: 'documents:read',
  isDownload: true,
  summary: 'The bytes of a stored document, verified against their hash',
  params: { schema: z.object({ id: documentId }) },
  responses: {
    200: {
      description: 'the bytes, whatever type their uploader named',
      headers: ['Content-Disposition'],
      mediaType: 'application/octet-stream',
      example: 'Proofmark',
    },
  },
  refusals: ['PROOF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params }, deps) => {
    const record = await findDocument(deps, caller.organisationId, params.id);
    const { fileName, fileSizeBytes, fileHash, document } = record;
    if (fileName === null || fileSizeBytes === null) throw new Error('a document without its file');
    const facts = { sizeBytes: fileSizeBytes, sha256: fileHash };
    return {
      status: 200,
      headers: {
        // Not what the uploader says it is: nobody has looked at more than its first bytes.
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(fileSizeBytes),
        'Content-Disposition': attachment(fileName),
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
      body: await openFile(deps.storage, document.blobKey, facts),
    };
  },
});
