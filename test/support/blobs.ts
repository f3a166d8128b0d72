import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Test } from 'tap';
import { type BlobKey, blobKey, organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import type { BlobFacts, BlobStorage } from '../../src/storage/contract.ts';
import { type DataKeys, EncryptedStorage } from '../../src/storage/encrypted-storage.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';

export const newOrganisationId = () => newUlid() as OrganisationId;
export const newBlobKey = (organisationId = newOrganisationId()) =>
  blobKey(organisationId, newUlid());

/** Each organisation has a key, derived from its id. */
export const derivedKeys: DataKeys = {
  async find(organisationId) {
    const dataKey = createHash('sha256').update(organisationId).digest();
    return { dataKeyId: '0'.repeat(26), dataKey };
  },
};

/** The storage of a service, over an adapter. */
export function encrypted(objects: ObjectStorage, dataKeys = derivedKeys): BlobStorage {
  return new EncryptedStorage(objects, dataKeys);
}

/** A storage of files with keys derived from the ids of the organisations. */
export async function openFileStorage(folder: string): Promise<BlobStorage> {
  return encrypted(await FileStorage.open(folder));
}

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
  await storage.put(key, await storage.stage(organisationOfBlob(key), streamOf(bytes)));
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
