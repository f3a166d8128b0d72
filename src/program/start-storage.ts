import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ByteVerifier } from '../byte-verification/byte-verifier.ts';
import type { ByteVerification } from '../byte-verification/contract.ts';
import { loggable } from '../errors/loggable.ts';
import type { Keyring } from '../event-store/keyring.ts';
import { sweepStaged } from '../reactors/sweep/sweep-staged.ts';
import type { BlobStorage, UploadSpace } from '../storage/contract.ts';
import { DiskSpace } from '../storage/disk-space.ts';
import { EncryptedStorage } from '../storage/encrypted-storage.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import { openObjectStorage } from '../storage/open-object-storage.ts';
import { parseS3Url } from '../storage/s3-location.ts';
import { CannotServe } from './cannot-serve.ts';
import { now, type Program } from './program.ts';

const stagedSweepEveryMs = 3_600_000;

/** Storage and byte verification of uploaded files. */
export interface Files {
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
  readonly uploadSpace: UploadSpace;
}

/** Refuses a STORAGE_URL with a mistake, before anything is started. */
export function checkStorageUrl({ config: { storageUrl, storageCredentials } }: Program): void {
  if (storageUrl.startsWith('file:')) return;
  try {
    parseS3Url(storageUrl, storageCredentials);
  } catch (error) {
    cannotKeepFiles(error);
  }
}

/**
 * Opens the storage of STORAGE_URL. A bucket need not be reachable yet: without it uploads are
 * answered 503.
 *
 * @param mayCreate as of `FileStorage.open`
 */
export async function startStorage(
  { config, log, parts, draining }: Program,
  mayCreate: boolean,
): Promise<ObjectStorage> {
  const { storageUrl, storageCredentials, dataDir } = config;
  const staging = join(dataDir, 'staging');
  const opened = openObjectStorage(storageUrl, staging, storageCredentials, { mayCreate });
  const storage = await opened.catch(cannotKeepFiles);
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
  const encrypted = new EncryptedStorage(storage, keyring);
  startStagedSweep(program, encrypted);
  return {
    storage: encrypted,
    verification,
    uploadSpace: watchSpace(program),
  };
}

/** Removes files that uploads to this machine left behind, once an hour. */
function startStagedSweep({ log, parts }: Program, storage: BlobStorage): void {
  const stop = sweepStaged({
    storage,
    now,
    everyMs: stagedSweepEveryMs,
    onSwept: (count) => log.info({ count }, 'remains of uploads were deleted'),
    onError: (err) => log.warn({ err }, 'sweep of remains of uploads failed; retrying'),
  });
  parts.add('sweep of staged files', stop);
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
function cannotKeepFiles(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const { message, cause } = error;
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  throw new CannotServe(`files cannot be kept: ${reason}`, { cause: error });
}

/** Rejects if the storage is unreachable. */
async function reach(storage: ObjectStorage): Promise<void> {
  for await (const _ of storage.list()) return;
}
