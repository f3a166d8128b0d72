import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ByteVerifier } from '../byte-verification/byte-verifier.ts';
import type { ByteVerification } from '../byte-verification/contract.ts';
import { loggable } from '../errors/loggable.ts';
import type { Keyring } from '../event-store/keyring.ts';
import type { BlobStorage, UploadSpace } from '../storage/contract.ts';
import { DiskSpace } from '../storage/disk-space.ts';
import { EncryptedStorage } from '../storage/encrypted-storage.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import { openObjectStorage } from '../storage/open-object-storage.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';

/** Storage and byte verification of uploaded files. */
export interface Files {
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
  readonly uploadSpace: UploadSpace;
}

/**
 * Opens the storage of STORAGE_URL, which need not be reachable yet. Without it uploads are answered
 * 503.
 */
export async function startStorage({
  config,
  log,
  parts,
  draining,
}: Program): Promise<ObjectStorage> {
  const { storageUrl, storageCredentials, dataDir } = config;
  const staging = join(dataDir, 'staging');
  const storage = await openObjectStorage(storageUrl, staging, storageCredentials).catch(
    (cause: Error) => {
      throw new CannotServe(`files cannot be kept: ${reasonOf(cause)}`, { cause });
    },
  );
  parts.add('file storage', () => storage.close());
  reach(storage).catch((error: unknown) => {
    if (draining.aborted) return;
    log.error(
      { err: loggable(error) },
      'file storage cannot be used; uploads and downloads are answered 503 until it can',
    );
  });
  return storage;
}

/** Encrypts the files of the storage under the organisations' keys, and verifies uploads. */
export function startFiles(program: Program, storage: ObjectStorage, keyring: Keyring): Files {
  const verification = new ByteVerifier();
  program.parts.add('byte verification', () => verification.close());
  return {
    storage: new EncryptedStorage(storage, keyring),
    verification,
    uploadSpace: watchSpace(program),
  };
}

/** Watches the disk of the storage, and the disk of the embedded database. */
function watchSpace({ config, log }: Pick<Program, 'config' | 'log'>) {
  const { storageUrl, databaseUrl, dataDir, minFreeBytes } = config;
  return new DiskSpace({
    storage: storageUrl.startsWith('file:') ? fileURLToPath(storageUrl) : join(dataDir, 'staging'),
    ...(databaseUrl === null && { others: { data: dataDir } }),
    minFreeBytes,
    onStops: (stops) => {
      if (stops.length === 0) log.info('uploads are accepted again');
      else
        log.error(
          { stops },
          'uploads are refused for lack of space; make room (docs/runbook.md, "A disk is full")',
        );
    },
  });
}

/** Adds the system's message if the disk fails. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Rejects if the storage is unreachable. */
async function reach(storage: ObjectStorage): Promise<void> {
  for await (const _ of storage.list()) return;
}
