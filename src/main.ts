import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { projections } from '../projections/registry.ts';
import { openFirstOrganisation } from './commands/open-first-organisation.ts';
import { openLog } from './commands/open-log.ts';
import { type Config, ConfigError, loadConfig, type NetworkConfig, Secret } from './config.ts';
import { type Network, networks } from './domain/network.ts';
import { acquireDataDirLock, DataDirBusyError } from './embedded/data-dir-lock.ts';
import { MasterKeyFileError, readOrCreateMasterKey } from './embedded/master-key.ts';
import { EmbeddedPostgresError } from './embedded/postgres/embedded-postgres-error.ts';
import { startEmbeddedPostgres } from './embedded/postgres/start-embedded-postgres.ts';
import { startStandaloneNetwork } from './embedded/standalone-network.ts';
import { type Database, openDatabase } from './event-store/database.ts';
import { createEventStore, type EventStore } from './event-store/event-store.ts';
import { createKeyring, hasWrappedKeys, MasterKeyMismatch } from './event-store/keyring.ts';
import { migrateToLatest } from './event-store/migrate.ts';
import { newUlid } from './event-store/new-ulid.ts';
import { createApp } from './http/app.ts';
import { readinessOf } from './http/readiness.ts';
import { loggable } from './http/request-log.ts';
import { startServer } from './http/server.ts';
import type { LedgerGateway } from './ledger/contract.ts';
import { openGateway } from './ledger/gateway.ts';
import { createSeedSigner, type Signer } from './ledger/signer.ts';
import { OtherLedger } from './reactors/anchoring/ledger-identity.ts';
import { type RunningAnchoring, runAnchoring } from './reactors/anchoring/run-anchoring.ts';
import { type LogSignal, openLogSignal } from './subscriptions/log-signal.ts';
import { prepareProjection, runProjector } from './subscriptions/projector.ts';
import { openStreamWatch } from './subscriptions/stream-watch.ts';
import { openWorkLocks } from './subscriptions/work-locks.ts';

/** Everything that was started, stopped in the reverse order. */
class Parts {
  readonly #stops: { readonly name: string; readonly stop: () => unknown }[] = [];

  add(name: string, stop: () => unknown): void {
    this.#stops.push({ name, stop });
  }

  async stop(log: Logger): Promise<void> {
    for (let part = this.#stops.pop(); part; part = this.#stops.pop()) {
      try {
        await part.stop();
      } catch (err) {
        log.error({ err, part: part.name }, 'a part did not stop in good order');
      }
    }
  }
}

/** What the parts are built with. `fail` ends the program: it cannot go on. */
interface Program {
  readonly config: Config;
  readonly log: Logger;
  readonly parts: Parts;
  readonly draining: AbortSignal;
  readonly fail: (error: unknown) => void;
}

interface NetworkParts {
  readonly gateway: LedgerGateway;
  readonly signers: readonly Signer[];
}

interface Core {
  readonly url: string;
  readonly database: Database;
  readonly store: EventStore;
  readonly signal: LogSignal;
}

/** The program cannot serve as it is configured; the message says all that the operator needs. */
class CannotServe extends Error {}

const maxConnections = 20;
const maxOutstandingPerAccount = 500;
const firstVerdictMs = 5_000;
const newId = newUlid;
const now = () => new Date();

async function start(program: Program): Promise<void> {
  const { config, parts, draining } = program;
  if (config.databaseUrl === null) {
    const lock = await acquireDataDirLock(config.dataDir);
    parts.add('DATA_DIR lock', () => lock.release());
  }
  draining.throwIfAborted();
  const core = await startCore(program);
  draining.throwIfAborted();
  const configured = await startNetworks(program);
  draining.throwIfAborted();
  const anchorings = config.roles.includes('reactor')
    ? await startAnchoring(program, core, configured)
    : [];
  if (config.roles.includes('projector')) startProjectors(program, core);
  if (config.roles.includes('api')) await startApi(program, core, configured, anchorings);
}

async function startCore({ config, log, parts, fail }: Program): Promise<Core> {
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
  await migrateToLatest(url).catch(databaseTrouble);
  const onError = (err: Error) => log.warn({ err }, 'a database connection was lost');
  const database = openDatabase(url, { maxConnections, onError });
  parts.add('database', () => database.close());
  const mayCreate = !(await hasWrappedKeys(database.pool));
  const masterKey =
    config.masterKey?.reveal() ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate }));
  const keyring = createKeyring(database.pool, masterKey);
  await keyring.check();
  const store = createEventStore({ pool: database.pool, keyring });
  const signal = openLogSignal(url, { onError });
  parts.add('log signal', () => signal.close());
  await openLog({ store, newId }, { actor: 'start' });
  for (const projection of projections) await prepareProjection(database.db, projection);
  return { url, database, store, signal };
}

/** What has a code was said by the database, or by the system on the way to it. */
function databaseTrouble(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error) || !('code' in cause)) throw error;
  const said = cause.message === '' ? cause.code : cause.message;
  const advice = 'is it running, and is DATABASE_URL right?';
  throw new CannotServe(`the database cannot be used (${said}): ${advice}`, { cause });
}

async function startNetworks(program: Program): Promise<NetworkParts[]> {
  const { config, log, parts, fail } = program;
  const open = (network: Network, { urls, accounts }: NetworkConfig): NetworkParts => {
    const gateway = openGateway({
      network,
      urls,
      onTrouble: (server, reason) => log.warn({ server, reason }, 'ledger server lost'),
      onRefused: (server, reason) =>
        fail(
          new CannotServe(
            `${server} is not a server of ${network}: ${reason}; correct XRPL_${network.toUpperCase()}_URL`,
          ),
        ),
    });
    parts.add(`${network} gateway`, () => gateway.close());
    const signers = accounts.map(({ seed, address }) => createSeedSigner(seed.reveal(), address));
    return { gateway, signers };
  };
  const configured = networks.flatMap((network) => {
    const own = config.networks[network];
    return own ? [open(network, own)] : [];
  });
  if (configured.length > 0) {
    await Promise.all(configured.map(({ gateway }) => firstVerdict(gateway)));
    return configured;
  }
  const { dataDir, standaloneCloseMs: closeMs } = config;
  const standalone = await startStandaloneNetwork({ dataDir, closeMs });
  parts.add('standalone ledger', () => standalone.stop());
  return [
    open('testnet', { urls: [standalone.url], accounts: [{ seed: new Secret(standalone.seed) }] }),
  ];
}

/** Waits until each server has answered or failed once: one of another network ends the start. */
async function firstVerdict(gateway: LedgerGateway): Promise<void> {
  const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const verdict = gateway.status.pipe(filter(tried), timeout(firstVerdictMs));
  await firstValueFrom(verdict).catch(() => null);
}

async function startAnchoring(
  { config, log, parts, fail }: Program,
  { url, database, store, signal }: Core,
  configured: readonly NetworkParts[],
): Promise<RunningAnchoring[]> {
  const locks = openWorkLocks(url, {
    onLost: (err) => log.warn({ err }, 'locks on anchoring accounts lost'),
  });
  parts.add('work locks', () => locks.close());
  const onOtherLedger = (network: Network) => (error: OtherLedger) =>
    network === 'mainnet' ? fail(error) : log.error({ network }, error.message);
  return Promise.all(
    configured.map(async ({ gateway, signers }) => {
      const { network } = gateway;
      const running = await runAnchoring({
        store,
        gateway,
        locks,
        signers,
        maxFeeDrops: config.maxFeeDrops,
        maxOutstanding: maxOutstandingPerAccount,
        db: database.db,
        signal,
        onError: (err) => log.warn({ err, network }, 'anchoring will be tried again'),
        onOtherLedger: onOtherLedger(network),
        onSubmitted: (hash, engineResult) =>
          log.debug({ network, hash, engineResult }, 'submitted'),
      });
      parts.add(`${network} anchoring`, async () => {
        // First, so that nothing that a step still asks the ledger keeps it waiting.
        await gateway.close();
        await running.stop();
      });
      return running;
    }),
  );
}

function startProjectors({ log, parts }: Program, { database, store, signal }: Core): void {
  for (const projection of projections) {
    const running = runProjector({
      db: database.db,
      store,
      signal,
      projection,
      onError: (err) => log.warn({ err, projection: projection.name }, 'projecting is tried again'),
    }).subscribe();
    parts.add(`${projection.name} projector`, () => running.unsubscribe());
  }
}

async function startApi(
  program: Program,
  { database, store, signal }: Core,
  configured: readonly NetworkParts[],
  anchorings: readonly RunningAnchoring[],
): Promise<void> {
  const { config, log, parts, draining } = program;
  const { db } = database;
  const watch = await openStreamWatch({
    store,
    signal,
    onError: (err) => log.warn({ err }, 'the log could not be read'),
  });
  parts.add('stream watch', () => watch.close());

  const [first] = configured;
  if (first === undefined) throw new Error('no network is configured');
  let address = '';
  const app = createApp({
    store,
    db,
    signal,
    watch,
    network: first.gateway.network,
    gateways: configured.map(({ gateway }) => gateway),
    isOwnAccount: (network, account) =>
      configured.some(
        ({ gateway, signers }) =>
          gateway.network === network && signers.some((signer) => signer.address === account),
      ),
    currentLedgerId: (network) =>
      anchorings.find((anchoring) => anchoring.network === network)?.ledgerId() ?? null,
    publicUrl: () => config.publicUrl ?? address,
    proofWaitMs: config.proofWaitMs,
    draining,
    log,
    readiness: readinessOf({
      db,
      store,
      projections: projections.map((projection) => projection.name),
      gateways: configured.map(({ gateway }) => gateway),
      paused: () => anchorings.map((anchoring) => anchoring.paused()),
    }),
    newId,
    randomBytes,
    now,
  });
  const { host, port } = config;
  const server = await startServer(app, { host, port, log, newId }).catch((cause: Error) => {
    const advice = 'set HOST and PORT to what is free on this machine';
    throw new CannotServe(`cannot serve: ${cause.message}; ${advice}`, { cause });
  });
  parts.add('HTTP server', () => server.stop());
  address = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  log.info({ address }, 'listening');
  process.stdout.write(`Proofmark listens on ${address}\n`);
  if (config.databaseUrl === null) await welcome(program, store, address);
}

/** On the very first start: an organisation, and the call that shows what the service does. */
async function welcome(_: Program, store: EventStore, address: string): Promise<void> {
  const deps = { store, newId, randomBytes, now };
  const made = await openFirstOrganisation(deps, { actor: 'start' });
  if (made === null) return;
  const readme = readFileSync(join(import.meta.dirname, '../README.md'));
  const hash = createHash('sha256').update(readme).digest('hex');
  const body = JSON.stringify({ hash, workspace: made.workspaceId, fileName: 'README.md' });
  process.stdout.write(
    `\nYour API key, shown this once:\n\n  ${made.key}\n\n` +
      `Anchor a first proof, of this README.md:\n\n` +
      `  curl -sS ${address}/api/v1/proofs -H 'Authorization: Bearer ${made.key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'\n\n`,
  );
}

/** Errors whose message says all that the operator needs; of others the stack is shown. */
function explain(error: unknown): string {
  const plain =
    error instanceof CannotServe ||
    error instanceof ConfigError ||
    error instanceof DataDirBusyError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MasterKeyFileError ||
    error instanceof MasterKeyMismatch ||
    error instanceof OtherLedger;
  if (plain) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A terminal's Ctrl-C may arrive twice, also through npm; a later one means "now". */
const repeatMs = 1_000;

/** How long a start that is under way may take to end before what it has started is stopped. */
const startEndsMs = 5_000;

/** What has not stopped by then is left: the next start finds it as after a kill. */
const stopEndsMs = 9_500;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  // Without the properties that drivers add to errors: they quote queries and values.
  const err = (value: unknown) => (value instanceof Error ? loggable(value) : value);
  const log = pino(
    { level: config.logLevel, serializers: { err } },
    pino.destination({ fd: 2, sync: true }),
  );
  const parts = new Parts();
  const draining = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  let stoppingSince: number | null = null;
  const stop = (exitCode: number) => {
    if (stoppingSince !== null) return;
    stoppingSince = performance.now();
    draining.abort();
    const stopped = Promise.race([starting, delay(startEndsMs)]).then(() => parts.stop(log));
    Promise.race([stopped, delay(stopEndsMs)]).finally(() => process.exit(exitCode));
  };
  const fail = (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    stop(1);
  };
  const onSignal = (name: string) => {
    if (stoppingSince === null) log.info({ signal: name }, 'stopping');
    else if (performance.now() - stoppingSince > repeatMs) process.exit(1);
    stop(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const { signal } = draining;
  starting = start({ config, log, parts, draining: signal, fail }).catch((error) => {
    // One that was told to stop ends as it can.
    if (!signal.aborted) fail(error);
  });
  await starting;
}

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
