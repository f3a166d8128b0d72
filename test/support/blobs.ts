import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Test } from 'tap';
import { type BlobKey, blobKey } from '../../src/domain/blob/blob-key.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import type { BlobFacts, BlobStorage } from '../../src/storage/contract.ts';

export const newOrganisationId = () => newUlid() as OrganisationId;
export const newBlobKey = (organisationId = newOrganisationId()) =>
  blobKey(organisationId, newUlid());

export function factsOf(bytes: Uint8Array): BlobFacts {
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Digest;
  return { sizeBytes: bytes.length, sha256 };
}

/** Streams bytes in chunks of 64 KiB, as an upload arrives. */
export function streamOf(bytes: Buffer): Readable {
  const chunkBytes = 65_536;
  const count = Math.ceil(bytes.length / chunkBytes);
  return Readable.from(
    Array.from({ length: count }, (_, i) => bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes)),
  );
}

export interface StoredBlob extends BlobFacts {
  readonly key: BlobKey;
  readonly bytes: Buffer;
}

/** Stages and puts random bytes. */
export async function putRandom(
  storage: BlobStorage,
  sizeBytes: number,
  key = newBlobKey(),
): Promise<StoredBlob> {
  const bytes = randomBytes(sizeBytes);
  await storage.put(key, await storage.stage(streamOf(bytes)));
  return { key, bytes, ...factsOf(bytes) };
}

export async function readBlob(
  storage: BlobStorage,
  key: BlobKey,
  facts: BlobFacts,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.open(key, facts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function listedKeys(storage: BlobStorage): Promise<BlobKey[]> {
  const keys: BlobKey[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

export async function newFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-blobs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
