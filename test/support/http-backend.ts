import pino from 'pino';
import { merge } from 'rxjs';
import type { Test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { ByteVerifier } from '../../src/byte-verification/byte-verifier.ts';
import { createCertificateRenderer } from '../../src/certificates/pdf/certificate-renderer.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { startDatabaseThreads } from '../../src/database-threads/start-database-threads.ts';
import { streams } from '../../src/domain/streams.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { createLogRows } from '../../src/event-store/log-rows.ts';
import { createPostgresLimiter } from '../../src/http/limits/postgres-limiter.ts';
import type { RequestLimiter } from '../../src/http/limits/request-limiter.ts';
import { createIssuerKeys } from '../../src/issuer/issuer-keys.ts';
import { loadLog } from '../../src/loading/load-log.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { foldElsewhere, smallEventBytes } from '../../src/subscriptions/fold-elsewhere.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { createLogTail } from '../../src/subscriptions/log-tail.ts';
import { runProjector } from '../../src/subscriptions/projector.ts';
import { createSkipIdle } from '../../src/subscriptions/skip-idle.ts';
import { openStreamWatch } from '../../src/subscriptions/stream-watch.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { currentOrigin } from '../../src/transparency-log/current-origin.ts';
import { createLogKeys } from '../../src/transparency-log/publish/create-log-keys.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../src/transparency-log/published/published-log.ts';
import { newFolder } from './blobs.ts';
import { createTestStore, testDeps } from './event-store.ts';
import { MemoryLogFiles } from './memory-log-files.ts';
import { logSeed } from './publishing-site.ts';

export interface BackendOptions {
  readonly project?: boolean;
  /** By default one that all tests share. */
  readonly masterKey?: Buffer;
  /** Folds large events on worker threads, as the program does; by default on this thread. */
  readonly threads?: boolean;
  /** Folder of stored files; by default a new one. */
  readonly folder?: string;
}

export type HttpBackend = Awaited<ReturnType<typeof startHttpBackend>>;

const meta = { actor: 'operator' } as const;

/**
 * Starts what HTTP services of one database share: a new database with an opened log, its projectors, a
 * publisher, worker threads and a folder of files. It costs ten times as much as the HTTP side.
 */
export async function startHttpBackend(t: Pick<Test, 'teardown'>, options: BackendOptions = {}) {
  const testStore = await createTestStore(t, {
    kind: 'projected',
    ...(options.masterKey && { masterKey: options.masterKey }),
  });
  const { url: databaseUrl, pool, db, store, masterKey, keyring, highWater, appended } = testStore;
  const locks = openWorkLocks(databaseUrl);
  t.teardown(() => locks.close());
  await openLog({ ...testDeps, store }, meta);
  const signal = openLogSignal(databaseUrl);
  t.teardown(() => signal.close());
  const threads = startDatabaseThreads({
    ...{ url: databaseUrl, masterKeys: { present: masterKey }, highWater },
    callThreads: 2,
  });
  t.teardown(() => threads.close());
  // Reads the log once for all projectors, as in the program.
  const types = projections.flatMap(({ largeTypes = [] }) => largeTypes);
  const large = { types, aboveBytes: smallEventBytes };
  const rows = createLogRows(pool, large, highWater, appended);
  const tail = createLogTail({ store, signal, rows, keyring });
  t.teardown(() => tail.close());
  if (options.project !== false) {
    // Sessions are what starting a service costs most: the projectors need no more than these.
    const folding = openDatabase(databaseUrl, { maxConnections: 3 });
    t.teardown(() => folding.close());
    const skipIdle = createSkipIdle(folding.repeated);
    const projecting = projections.map((projection) => {
      const { name, largeTypes } = projection;
      const elsewhere = () => threads.fold(name);
      const reading = { db: folding.db, store: tail };
      const foldNext =
        options.threads && largeTypes && foldElsewhere(reading, projection, largeTypes, elsewhere);
      const fold = { db: folding.repeated, store: tail, signal, projection, skipIdle };
      return runProjector({ ...fold, ...(foldNext && { foldNext }) });
    });
    const running = merge(...projecting).subscribe();
    t.teardown(() => running.unsubscribe());
  }
  const watch = await openStreamWatch({ store: tail, signal });
  t.teardown(() => watch.close());
  const { folder = await newFolder(t) } = options;
  const files = await FileStorage.open(folder);
  const verification = new ByteVerifier();
  // On a busy machine, the first certificate takes long.
  const renderer = createCertificateRenderer({ timeoutMs: 120_000 });
  t.teardown(() => Promise.all([verification.close(), files.close(), renderer.close()]));
  const limiter = openLimiter(t, databaseUrl);
  const leaves = createLeaves(pool);
  const published = new PublishedLog(new MemoryLogFiles());
  const newPublisher = () =>
    new Publisher({ store, leaves, history: db, published, seeds: [logSeed] });
  let publisher = newPublisher();
  let publishing: Promise<unknown> = Promise.resolve();
  /** Publishes a checkpoint of the log as it is. */
  const publish = () => {
    const next = publishing.then(() => publisher.publish());
    publishing = next.catch(() => {});
    return next;
  };
  return {
    ...testStore,
    ...{ databaseUrl, locks, signal, threads, watch, folder, files, verification, renderer },
    ...{ limiter, leaves, published, publish },
    issuer: createIssuerKeys({ store, keyring }),
    logKeys: createLogKeys({ origin: await currentOrigin(store), history: db, seeds: [logSeed] }),
    /** Begins a new epoch of the log, as after a restore that lost no event, and publishes it. */
    async beginEpoch(epoch: number): Promise<void> {
      const log = await loadLog(store);
      if (log === null) throw new Error('the log was opened');
      const { state, version: expectedVersion } = log;
      const kept = { epoch, keptSize: await store.head(), keptRootHash: '0'.repeat(64) };
      const nothing = { published: null, anchored: null, reached: null, earlier: [] };
      const events = [
        { type: 'LogRestored', data: { ...kept, ...nothing } },
        { type: 'LogReconciled', data: { epoch, recovered: 0, lost: 0 } },
      ] as const;
      const stream = streams.log(state.logId);
      await store.append([{ organisationId: null, stream, expectedVersion, events }], meta);
      publisher = newPublisher();
      await publish();
    },
  };
}

/**
 * Has a longer timeout than the service's own: on a slow machine, a timeout would lift the limits of a
 * test.
 */
export function openLimiter(t: Pick<Test, 'teardown'>, databaseUrl: string): RequestLimiter {
  const log = pino({ level: 'silent' });
  const limiter = createPostgresLimiter(databaseUrl, { log, timeoutMs: 60_000 });
  t.teardown(() => limiter.close());
  return limiter;
}
