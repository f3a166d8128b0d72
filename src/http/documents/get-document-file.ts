import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { BlobKey } from '../../domain/blob/blob-key.ts';
import type { BlobFacts, BlobStorage } from '../../storage/contract.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { documentId } from '../fields.ts';
import { attachment } from '../headers/content-disposition.ts';
import { defineRoute } from '../route.ts';
import { findDocument } from './find-document.ts';

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
      description: 'the bytes of the file, always as application/octet-stream',
      headers: ['Content-Disposition'],
      mediaType: 'application/octet-stream',
      example: 'Proofmark',
    },
  },
  refusals: ['PROOF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async (
    { caller, params },
    deps: ReadDeps & { readonly storage: Pick<BlobStorage, 'open'> },
  ) => {
    const record = await findDocument(deps, caller.organisationId, params.id);
    const { fileName, fileSizeBytes, fileHash, document } = record;
    if (fileName === null || fileSizeBytes === null) throw new Error('a document without its file');
    const facts = { sizeBytes: fileSizeBytes, sha256: fileHash };
    return {
      status: 200,
      headers: {
        // Never the uploader's type: only the first bytes of the file were checked.
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(fileSizeBytes),
        'Content-Disposition': attachment(fileName),
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
      body: await openFile(deps.storage, document.blobKey, facts),
    };
  },
});

/**
 * Opens a stored file for an answer. A fault before the first bytes are available becomes an error
 * answer; a small file is read completely by then. A later fault breaks the connection, so that a
 * partial file is never taken for the whole.
 */
async function openFile(
  storage: Pick<BlobStorage, 'open'>,
  key: BlobKey,
  facts: BlobFacts,
): Promise<Readable> {
  const file = await storage.open(key, facts);
  await once(file, 'readable');
  return file;
}
