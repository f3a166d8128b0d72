import { join } from 'node:path';
import { ByteVerifier } from '../byte-verification/byte-verifier.ts';
import type { ByteVerification } from '../byte-verification/contract.ts';
import { loggable } from '../http/request-log.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { openBlobStorage } from '../storage/open-blob-storage.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';

/** What files are kept in, and looked at with. */
export interface Files {
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
}

/**
 * Opens the storage of STORAGE_URL. One that cannot be reached now does not keep the service from
 * starting: proofs of hashes do not need it, and uploads are answered 503 until it can.
 */
export async function startStorage({ config, log, parts, draining }: Program): Promise<Files> {
  const { storageUrl, dataDir } = config;
  const storage = await openBlobStorage(storageUrl, join(dataDir, 'staging')).catch(
    (cause: Error) => {
      throw new CannotServe(`files cannot be kept: ${reasonOf(cause)}`, { cause });
    },
  );
  parts.add('file storage', () => storage.close());
  reach(storage).catch((error: unknown) => {
    if (draining.aborted) return;
    log.error({ err: loggable(error) }, 'the file storage cannot be used: uploads are refused');
  });
  const verification = new ByteVerifier();
  parts.add('byte verification', () => verification.close());
  return { storage, verification };
}

/** With the system's own words where it is the disk that fails. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Rejects if it cannot. */
async function reach(storage: BlobStorage): Promise<void> {
  for await (const _ of storage.list()) return;
}
