import { projections } from '../../projections/registry.ts';
import { openLog } from '../commands/open-log.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { readOrCreateMasterKey } from '../embedded/master-key.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { AppendedRows } from '../event-store/appended-rows.ts';
import { waitsForStandby } from '../event-store/commit-probe.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { type Database, openDatabase } from '../event-store/database.ts';
import type { EventStore, LogReader } from '../event-store/event-store.ts';
import type { MasterKeys } from '../event-store/key-wrapping.ts';
import { createKeyring, hasWrappedKeys, type Keyring } from '../event-store/keyring.ts';
import { createLeaves, type Leaves } from '../event-store/leaves.ts';
import { createLogRows } from '../event-store/log-rows.ts';
import { migrateToLatest } from '../event-store/migrate.ts';
import { requireOwnSessions } from '../event-store/own-sessions.ts';
import { checkServerVersion } from '../event-store/server-version.ts';
import { forgetKeyUsesOf } from '../http/keys/key-uses.ts';
import { createIssuerKeys } from '../issuer/issuer-keys.ts';
import { IssuerKeyMissing } from '../issuer/private-key.ts';
import { applyErasures, ErasuresNotApplied } from '../reactors/erasing/apply-erasures.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { smallEventBytes } from '../subscriptions/fold-elsewhere.ts';
import { type LogSignal, openLogSignal } from '../subscriptions/log-signal.ts';
import { createLogTail, type RecentEvents } from '../subscriptions/log-tail.ts';
import { prepareProjection } from '../subscriptions/projector.ts';
import { measureAppends } from '../telemetry/append-metrics.ts';
import { traceStore } from '../telemetry/trace-store.ts';
import { check, requireAgreement } from '../transparency-log/guard/check.ts';
import type { LogStorage } from '../transparency-log/published/contract.ts';
import { openLogStorage } from '../transparency-log/published/open-log-storage.ts';
import { lastPublished } from '../transparency-log/published/published-checkpoints.ts';
import { CannotServe } from './cannot-serve.ts';
import { newId, type Program } from './program.ts';
import { startStorage } from './start-storage.ts';

/** The database, the event store, and the parts that follow the log. */
export interface Core {
  readonly url: string;
  readonly masterKeys: MasterKeys;
  readonly keyring: Keyring;
  readonly database: Database;
  readonly store: EventStore;
  readonly signal: LogSignal;
  /** Reads the log for its followers; `signal` announces new events. */
  readonly tail: LogReader & Partial<RecentEvents>;
  readonly leaves: Leaves;
  /** Storage of the published checkpoints and tiles of the log. */
  readonly published: LogStorage;
}

const maxConnections = 20;
const silentSeconds = 5;
const sayEveryMs = 60_000;

/**
 * Opens and migrates the database (the embedded one if none is configured), opens the log, and
 * applies the recorded erasures of organisations again. `storage` is null in a process with neither
 * the role `api` nor `reactor`, which leaves the last two steps to the others.
 */
export async function startCore(
  program: Program,
): Promise<Core & { readonly storage: ObjectStorage | null }> {
  const { config, log, parts, fail } = program;
  let url = config.databaseUrl?.reveal();
  if (url === undefined) {
    const { dataDir } = config;
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => log.info(line),
      signal: program.draining,
    });
    let stopping = false;
    parts.add('embedded PostgreSQL', () => {
      stopping = true;
      return postgres.stop();
    });
    postgres.ended.then(
      () =>
        stopping ||
        fail(
          new CannotServe(
            'the embedded PostgreSQL ended unexpectedly, and the service stops: start it again',
          ),
        ),
    );
    url = postgres.url;
  }
  const untested = await checkServerVersion(url).catch(databaseTrouble);
  if (untested !== null) log.warn(untested);
  await requireOwnSessions(url).catch(databaseTrouble);
  await migrateToLatest(url).catch(databaseTrouble);
  const onError = (err: Error) => log.warn({ err }, 'database connection lost; reconnecting');
  const onWentBack = ({ message }: Error) => fail(new CannotServe(message));
  const database = openDatabase(url, { maxConnections, onError, onWentBack });
  parts.add('database', () => database.close());
  parts.add('watch over appends', watchOverAppends(program, database.pool));
  const mayCreate = !(await hasWrappedKeys(database.pool));
  const present =
    config.masterKey?.reveal() ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate }));
  const masterKeys = { present, former: config.formerMasterKeys.map((key) => key.reveal()) };
  const { pool, highWater } = database;
  const keyring = createKeyring(pool, masterKeys);
  await keyring.check();
  const shared = {
    pool,
    keyring,
    highWater,
    ...(follows(program) && { appended: new AppendedRows() }),
  };
  const store = openStore(program, shared);
  const signal = openLogSignal(url, { onError, onConnected: () => database.checkNow() });
  parts.add('log signal', () => signal.close());
  const tail = openTail(program, shared, { store, signal });
  const leaves = createLeaves(pool, highWater);
  // A process that appends nothing need not reach the storage.
  const appends = config.roles.includes('api') || config.roles.includes('reactor');
  const isNew = (await lastPublished(database.db)) === null;
  const storage = appends ? await startStorage(program, isNew) : null;
  const { storageUrl, storageCredentials } = config;
  const published = await openLogStorage(storageUrl, storageCredentials, { mayCreate: false });
  parts.add('storage of the log', () => published.close());
  if (appends) {
    const traces = { store, leaves, history: database.db, published };
    requireAgreement(await check('publishing', traces).catch(storageTrouble));
    await openLog({ store, newId, originPrefix: config.logOrigin }, { actor: 'start' });
    await publishIssuerKey(program, { store, keyring });
  }
  for (const projection of projections) await prepareProjection(database.db, projection);
  if (storage !== null) {
    const forgetKeyUses = (ids: readonly OrganisationId[]) => forgetKeyUsesOf(database.db, ids);
    const onErasing = (organisations: readonly OrganisationId[]) =>
      log.warn(
        { organisations },
        'the database contains organisations that were erased, as a restored backup does: they are ' +
          'erased again; once the service has started, run `ops organisation erase ID --yes` for ' +
          'each to delete the rest of their data',
      );
    const erasing = { storage, database, store, projections, forgetKeyUses, onErasing };
    await applyErasures(erasing).catch(cannotServe);
  }
  return { url, masterKeys, keyring, database, store, signal, tail, leaves, published, storage };
}

/** Publishes the first key of the issuer. If the present one is lost, only certificates cannot be issued. */
async function publishIssuerKey({ log }: Program, deps: Pick<Core, 'store' | 'keyring'>) {
  try {
    await createIssuerKeys(deps).current();
  } catch (err) {
    if (!(err instanceof IssuerKeyMissing)) throw err;
    log.error({ err }, 'no certificate can be issued, because the key that signs them is missing');
  }
}

/** Logs that an append is not confirmed, once in a while, and that it was in the end. */
function watchOverAppends({ log, telemetry }: Program, pool: Database['pool']): () => void {
  let saidAt = -Infinity;
  let longest = 0;
  const look = async () => {
    const seconds = Math.round(telemetry.metrics.appends.oldestSeconds());
    if (seconds < longest) {
      log.warn({ seconds: longest }, 'appends are confirmed by the database again');
      saidAt = -Infinity;
      longest = 0;
    }
    if (seconds < silentSeconds) return;
    longest = seconds;
    if (performance.now() - saidAt < sayEveryMs) return;
    saidAt = performance.now();
    const waits = await waitsForStandby(pool, 1_000).catch(() => false);
    const reason = waits
      ? 'commits wait for a synchronous standby: bring it back, or change synchronous_standby_names'
      : 'look into pg_stat_activity';
    log.error(
      { seconds },
      `an append is not confirmed by the database, and calls that write are answered 503: ${reason} (docs/runbook.md, "Appends are not confirmed")`,
    );
  };
  const looking = setInterval(look, 1_000);
  return () => clearInterval(looking);
}

/** Parts that the event store and the tail of the log share. */
interface LogParts extends Pick<Database, 'pool' | 'highWater'> {
  readonly keyring: Keyring;
  /** Absent without a tail, which takes the rows. */
  readonly appended?: AppendedRows;
}

/** False in a process that only watches streams: headers suffice there. */
function follows({ config: { roles } }: Program): boolean {
  return roles.includes('projector') || roles.includes('reactor');
}

/** Opens the store with measured appends, traced if tracing is on. */
function openStore({ telemetry: { metrics, trace } }: Program, parts: LogParts): EventStore {
  const store = createEventStore({
    ...parts,
    onWriting: metrics.appends.writing,
    onWritten: metrics.appends.written,
  });
  const measured = measureAppends(store, metrics.appends.ended);
  return trace === null ? measured : traceStore(measured, trace);
}

/** Returns the store itself in a process that follows nothing. */
function openTail(
  program: Program,
  { pool, keyring, highWater, appended }: LogParts,
  log: Pick<Core, 'store' | 'signal'>,
): Core['tail'] {
  if (!follows(program)) return log.store;
  const types = projections.flatMap(({ largeTypes = [] }) => largeTypes);
  const large = { types, aboveBytes: smallEventBytes };
  const rows = createLogRows(pool, large, highWater, appended);
  const tail = createLogTail({ ...log, rows, keyring });
  program.parts.add('log tail', () => tail.close());
  return tail;
}

function cannotServe(cause: unknown): never {
  throw cause instanceof ErasuresNotApplied ? new CannotServe(cause.message, { cause }) : cause;
}

/** SQLSTATE insufficient_privilege. */
const insufficientPrivilege = '42501';

/** An error with a code comes from the database, or from the system on the way to it. */
function databaseTrouble(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error) || !('code' in cause)) throw error;
  const reason = cause.message === '' ? cause.code : cause.message;
  const advice =
    cause.code === insufficientPrivilege
      ? 'migrate it as the owner of its tables (docs/runbook.md, "Privileges in the database"), then start again'
      : 'check that PostgreSQL runs and that DATABASE_URL is right';
  throw new CannotServe(`the database cannot be used (${reason}): ${advice}`, { cause });
}

/** Nothing is appended before the log is known to match the published log. */
function storageTrouble(error: unknown): never {
  if (!(error instanceof StorageUnavailable)) throw error;
  const { message, cause } = error;
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  throw new CannotServe(
    `the log cannot be compared with the published log (${reason}): check that STORAGE_URL is right and that the storage can be reached`,
    { cause: error },
  );
}
