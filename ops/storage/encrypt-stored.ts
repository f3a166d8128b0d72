import { type BlobKey, organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import { BlobLost } from '../../src/domain/blob/blob-lost.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { OrganisationShut } from '../../src/domain/organisation/organisation-shut.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { BlobFacts, BlobStorage } from '../../src/storage/contract.ts';
import type { DataKeys } from '../../src/storage/encrypted-storage.ts';
import { EncryptedStorage } from '../../src/storage/encrypted-storage.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { verifiedStream } from '../../src/storage/verified-stream.ts';

export interface EncryptingOptions {
  readonly store: Pick<EventStore, 'readLog'>;
  readonly objects: ObjectStorage;
  readonly dataKeys: DataKeys;
  readonly onFile: (done: number, total: number) => void;
  readonly cancelled: AbortSignal;
  /** Plain files to remember at once. */
  readonly batchSize?: number;
}

/** Result for the files that were stored in clear. */
export interface EncryptedFiles {
  readonly encrypted: number;
  /** Keys of files whose bytes are not those of the upload: left as they are. */
  readonly damaged: readonly BlobKey[];
  /** Files that no event names, or whose organisation is erased: the sweep deletes them. */
  readonly unnamed: number;
}

const types = ['DocumentStored', 'RevisionChained', 'CertificateIssued'];
const pageSize = 500;

/**
 * Encrypts every plain file that an event names, and then deletes the plain one. The encrypted file
 * is on stable storage, and was read back, before. So the call may be interrupted and repeated, and
 * a service may read and write meanwhile.
 */
export async function encryptStored(options: EncryptingOptions): Promise<EncryptedFiles> {
  const { objects, dataKeys, batchSize = 100_000 } = options;
  const storage = new EncryptedStorage(objects, dataKeys);
  const damaged: BlobKey[] = [];
  const left = new Set<BlobKey>();
  let encrypted = 0;
  for (;;) {
    const plain = await plainBlobs(objects, left, batchSize);
    if (plain.size === 0) return { encrypted, damaged, unnamed: left.size - damaged.length };
    const total = encrypted + plain.size;
    for await (const { key, facts } of namedFiles(options)) {
      if (!plain.delete(key)) continue;
      const outcome = await replacePlain(storage, objects, key, facts);
      if (outcome === 'encrypted') encrypted += 1;
      if (outcome === 'damaged') damaged.push(key);
      if (outcome === 'damaged' || outcome === 'erased') left.add(key);
      options.onFile(encrypted + damaged.length, total);
      if (plain.size === 0) break;
    }
    for (const key of plain) left.add(key);
  }
}

async function plainBlobs(
  objects: ObjectStorage,
  left: ReadonlySet<BlobKey>,
  most: number,
): Promise<Set<BlobKey>> {
  const plain = new Set<BlobKey>();
  for await (const { key, form } of objects.list()) {
    if (form === 'plain' && !left.has(key)) plain.add(key);
    if (plain.size === most) break;
  }
  return plain;
}

/** All files that events name, in the order of the log; without those of erased organisations. */
async function* namedFiles({
  store,
  cancelled,
}: Pick<EncryptingOptions, 'store' | 'cancelled'>): AsyncGenerator<NamedFile> {
  for (let after = 0; ; ) {
    const events = await store.readLog(after, pageSize, types);
    const last = events.at(-1);
    if (last === undefined) return;
    for (const event of events) {
      cancelled.throwIfAborted();
      const named = 'erased' in event ? null : namedBy(event);
      if (named !== null) yield named;
    }
    after = last.position;
  }
}

interface NamedFile {
  readonly key: BlobKey;
  readonly facts: BlobFacts;
}

function namedBy({ type, data }: StoredEvent<DomainEvent>): NamedFile | null {
  switch (type) {
    case 'DocumentStored':
    case 'RevisionChained':
      return {
        key: data.blobKey,
        facts: { sizeBytes: data.fileSizeBytes, sha256: data.fileHash },
      };
    case 'CertificateIssued':
      return {
        key: data.blobKey,
        facts: { sizeBytes: data.sizeBytes, sha256: data.pdfDigest },
      };
    default:
      return null;
  }
}

/**
 * `damaged`: the plain bytes are, and there is no encrypted form. `deleted` meanwhile, or `erased`:
 * the organisation has no key any more, and the sweep deletes the plain file.
 */
type Outcome = 'encrypted' | 'damaged' | 'deleted' | 'erased';

async function replacePlain(
  storage: BlobStorage,
  objects: ObjectStorage,
  key: BlobKey,
  facts: BlobFacts,
): Promise<Outcome> {
  try {
    if (!(await isEncrypted(storage, objects, key, facts))) {
      const plain = await objects.open(key, 'plain');
      if (plain === null) return 'deleted';
      const bytes = verifiedStream(key, plain.bytes, facts, null);
      await storage.put(key, await storage.stage(organisationOfBlob(key), bytes));
      if (!(await isEncrypted(storage, objects, key, facts))) return 'damaged';
    }
    await objects.delete(key, 'plain');
    return 'encrypted';
  } catch (error) {
    if (error instanceof OrganisationShut) return 'erased';
    if (error instanceof BlobLost) return 'damaged';
    throw error;
  }
}

/** True if the encrypted form is stored, and gives the right bytes. */
async function isEncrypted(
  storage: BlobStorage,
  objects: ObjectStorage,
  key: BlobKey,
  facts: BlobFacts,
): Promise<boolean> {
  const stored = await objects.open(key, 'encrypted');
  if (stored === null) return false;
  stored.bytes.destroy();
  try {
    for await (const _ of await storage.open(key, facts));
    return true;
  } catch (error) {
    if (error instanceof BlobLost) return false;
    throw error;
  }
}
