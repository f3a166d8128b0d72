import { join } from 'node:path';
import { ByteVerifier } from '../byte-verification/byte-verifier.ts';
import type { ByteVerification } from '../byte-verification/contract.ts';
import { loggable } from '../errors/loggable.ts';
import type { Keyring } from '../event-store/keyring.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { EncryptedStorage } from '../storage/encrypted-storage.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import { openObjectStorage } from '../storage/open-object-storage.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';

/** Storage and byte verification of uploaded files. */
export interface Files {
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
}

/**
 * Opens the storage of STORAGE_URL. An unreachable storage does not prevent the start: proofs of
 * hashes do not need it, and uploads are answered 503 until it is reachable.
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
export function startFiles({ parts }: Program, storage: ObjectStorage, keyring: Keyring): Files {
  const verification = new ByteVerifier();
  parts.add('byte verification', () => verification.close());
  return { storage: new EncryptedStorage(storage, keyring), verification };
}

/** Adds the system's message if the disk fails. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Rejects if the storage is unreachable. */
async function reach(storage: ObjectStorage): Promise<void> {
  for await (const _ of storage.list()) return;
}
