import { namedBlobs } from '../../projections/documents/query.ts';
import { runSweep } from '../reactors/sweep/run-sweep.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { now, type Program } from './program.ts';
import type { Core } from './start-core.ts';

const firstAfterMs = 60_000;
const everyMs = 3_600_000;

/** Sweeps up every hour what uploads left behind. */
export function startSweep({ log, parts }: Program, core: Core, storage: BlobStorage): void {
  const { url, database, store, signal } = core;
  const locks = openWorkLocks(url, {
    onLost: (err) => log.warn({ err }, 'the lock on the sweep of files was lost'),
  });
  parts.add('work locks of the sweep', () => locks.close());
  const stop = runSweep({
    storage,
    async named(keys) {
      await awaitPosition(database.db, 'documents', await store.head(), { signal });
      return namedBlobs(database.db, keys);
    },
    locks,
    now,
    firstAfterMs,
    everyMs,
    onSwept: (swept) => {
      if (swept.deleted + swept.leftovers > 0) log.info(swept, 'files left over were deleted');
    },
    onError: (err) => log.warn({ err }, 'sweeping files is tried again in an hour'),
  });
  parts.add('sweep of files', stop);
}
