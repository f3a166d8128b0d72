import { namedCertificates } from '../../projections/certificates/query.ts';
import { namedBlobs } from '../../projections/documents/query.ts';
import { type BlobKey, organisationOfBlob } from '../domain/blob/blob-key.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { runSweep } from '../reactors/sweep/run-sweep.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import type { WorkLocks } from '../subscriptions/work-locks.ts';
import { now, type Program } from './program.ts';
import type { Core } from './start-core.ts';

const firstAfterMs = 60_000;
const markEveryMs = 60_000;
const marksPerSweep = 60;

/** Deletes files that uploads and certificates left behind, once an hour. */
export function startSweep(
  { log, parts }: Program,
  { database, store, signal }: Core,
  storage: BlobStorage,
  locks: WorkLocks,
): void {
  const { db } = database;
  const stop = runSweep({
    storage,
    log: store,
    async named(keys) {
      const head = await store.head();
      await awaitPosition(db, 'documents', head, { signal });
      await awaitPosition(db, 'certificates', head, { signal });
      const foreign = await blobsOfOthers(store, keys);
      const certificates = await namedCertificates(db, keys);
      return new Set([...(await namedBlobs(db, keys)), ...certificates, ...foreign]);
    },
    locks,
    now,
    firstAfterMs,
    markEveryMs,
    marksPerSweep,
    onSwept: (swept) => {
      if (swept.deleted + swept.halfSent > 0)
        log.info(swept, 'unneeded files were deleted from the storage');
    },
    onLacksMark: ({ message }) => log.error(message),
    onError: (err) => log.warn({ err }, 'sweep of unneeded files failed; retrying'),
  });
  parts.add('sweep of files', stop);
}

/** Files of organisations unknown to this log: another service's, so never delete them. */
async function blobsOfOthers(
  store: EventStore,
  keys: readonly BlobKey[],
): Promise<readonly BlobKey[]> {
  const streamOf = (key: BlobKey) => streams.organisation(organisationOfBlob(key));
  const known = await store.readStreams([...new Set(keys.map(streamOf))]);
  return keys.filter((key) => !known.has(streamOf(key)));
}
