import { projections } from '../../projections/registry.ts';
import { openLog } from '../commands/open-log.ts';
import { readOrCreateMasterKey } from '../embedded/master-key.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { type Database, openDatabase } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { MasterKeys } from '../event-store/key-wrapping.ts';
import { createKeyring, hasWrappedKeys, type Keyring } from '../event-store/keyring.ts';
import { createLeaves, type Leaves } from '../event-store/leaves.ts';
import { migrateToLatest } from '../event-store/migrate.ts';
import { checkServerVersion } from '../event-store/server-version.ts';
import { applyErasures, ErasuresNotApplied } from '../reactors/erasing/apply-erasures.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { type LogSignal, openLogSignal } from '../subscriptions/log-signal.ts';
import { prepareProjection } from '../subscriptions/projector.ts';
import { measureAppends } from '../telemetry/append-metrics.ts';
import { traceStore } from '../telemetry/trace-store.ts';
import { check, requireAgreement } from '../transparency-log/guard/check.ts';
import type { LogStorage } from '../transparency-log/publish/contract.ts';
import { openLogStorage } from '../transparency-log/publish/open-log-storage.ts';
import { CannotServe } from './cannot-serve.ts';
import { newId, type Program } from './program.ts';

/** The database and what reads and writes it. */
export interface Core {
  readonly url: string;
  readonly masterKeys: MasterKeys;
  readonly database: Database;
  readonly store: EventStore;
  readonly signal: LogSignal;
  readonly leaves: Leaves;
  /** Where checkpoints and tiles of the log are published. */
  readonly published: LogStorage;
}

const maxConnections = 20;

/**
 * Opens the database, the embedded one where none is configured, migrated, with an open log, and with
 * nothing in it of organisations that were erased. `storage` is null in a process that neither serves
 * nor appends: it leaves that to those that do.
 */
export async function startCore(program: Program, storage: BlobStorage | null): Promise<Core> {
  const { config, log, parts, fail } = program;
  let url = config.databaseUrl?.reveal();
  if (url === undefined) {
    const { dataDir } = config;
    const postgres = await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) });
    let stopping = false;
    parts.add('embedded PostgreSQL', () => {
      stopping = true;
      return postgres.stop();
    });
    postgres.ended.then(
      () =>
        stopping || fail(new CannotServe('the embedded PostgreSQL ended by itself; start again')),
    );
    url = postgres.url;
  }
  const untested = await checkServerVersion(url).catch(databaseTrouble);
  if (untested !== null) log.warn(untested);
  await migrateToLatest(url).catch(databaseTrouble);
  const onError = (err: Error) => log.warn({ err }, 'a database connection was lost');
  const onWentBack = ({ message }: Error) => fail(new CannotServe(message));
  const database = openDatabase(url, { maxConnections, onError, onWentBack });
  parts.add('database', () => database.close());
  const mayCreate = !(await hasWrappedKeys(database.pool));
  const present =
    config.masterKey?.reveal() ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate }));
  const masterKeys = { present, former: config.formerMasterKeys.map((key) => key.reveal()) };
  const { pool, highWater } = database;
  const keyring = createKeyring(pool, masterKeys);
  await keyring.check();
  const store = openStore(program, { pool, keyring, highWater });
  const signal = openLogSignal(url, { onError, onConnected: () => database.checkNow() });
  parts.add('log signal', () => signal.close());
  const leaves = createLeaves(pool, highWater);
  const published = await openLogStorage(config.storageUrl).catch(storageTrouble);
  parts.add('storage of the log', () => published.close());
  // A process that appends nothing need not reach the storage.
  if (config.roles.includes('api') || config.roles.includes('reactor')) {
    const traces = { of: 'publishing', store, leaves, history: database.db, published } as const;
    requireAgreement(await check(traces).catch(storageTrouble));
    await openLog({ store, newId }, { actor: 'start' });
  }
  for (const projection of projections) await prepareProjection(database.db, projection);
  if (storage !== null) {
    const applied = applyErasures({ storage, database, store, projections });
    const erased = await applied.catch(cannotServe);
    if (erased > 0) log.warn({ organisations: erased }, 'erased again: a backup brought them back');
  }
  return { url, masterKeys, database, store, signal, leaves, published };
}

/** Its appends are measured, and traced where anything is. */
function openStore(
  { telemetry: { metrics, trace } }: Program,
  parts: Pick<Database, 'pool' | 'highWater'> & { readonly keyring: Keyring },
): EventStore {
  const store = createEventStore({ ...parts, onWritten: metrics.appends.written });
  const measured = measureAppends(store, metrics.appends.ended);
  return trace === null ? measured : traceStore(measured, trace);
}

function cannotServe(cause: unknown): never {
  throw cause instanceof ErasuresNotApplied ? new CannotServe(cause.message, { cause }) : cause;
}

/** What has a code was said by the database, or by the system on the way to it. */
function databaseTrouble(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error) || !('code' in cause)) throw error;
  const said = cause.message === '' ? cause.code : cause.message;
  const advice = 'is it running, and is DATABASE_URL right?';
  throw new CannotServe(`the database cannot be used (${said}): ${advice}`, { cause });
}

/** Nothing is appended before it is known that the log is the one that was published. */
function storageTrouble(error: unknown): never {
  if (!(error instanceof StorageUnavailable)) throw error;
  const { message, cause } = error;
  const said = cause instanceof Error ? `${message}: ${cause.message}` : message;
  throw new CannotServe(
    `the log cannot be compared with what was published of it (${said}): is STORAGE_URL right, and can it be reached?`,
    { cause: error },
  );
}
