import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import type { BlobFacts, BlobStorage } from '../storage/contract.ts';

/**
 * Opens a stored file for an answer. What is wrong with it before the first bytes are there, all of
 * them where it is small, makes the answer an error; after that the connection breaks off, so that
 * nobody takes what came for the file.
 */
export async function openFile(
  storage: Pick<BlobStorage, 'open'>,
  key: BlobKey,
  facts: BlobFacts,
): Promise<Readable> {
  const file = await storage.open(key, facts);
  await once(file, 'readable');
  return file;
}
