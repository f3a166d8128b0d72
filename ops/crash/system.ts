import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateSeed } from 'ripple-keypairs';
import { loadConfig } from '../../src/config.ts';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import type { ValidatorListSource } from '../../src/reactors/attesting/read-lists.ts';
import { type CleanUp, createBenchFolder } from '../bench/harness/clean-up.ts';
import { type OperatorSession, openOperatorSession } from '../session/operator-session.ts';
import { type FaultyServer, startFaultyServer } from './faulty-server.ts';
import { startHaproxy } from './haproxy.ts';
import { type AccountHistory, readLedgerHistory } from './ledger-history.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { type SeverableProxy, startProxy } from './severable-proxy.ts';
import { type Supervised, supervise } from './supervised.ts';
import { type SupervisedPostgres, supervisePostgres } from './supervised-postgres.ts';
import { superviseRippled } from './supervised-rippled.ts';
import { waitFor } from './wait-for.ts';
import { walkLedgers } from './walk-ledgers.ts';

export interface SystemOptions {
  /** Number of services. */
  readonly services: number;
  /** Path of a rippled, which replaces the standalone ledger; null for that one. */
  readonly rippled: string | null;
  /** True for a primary and a synchronous standby in place of a single PostgreSQL. */
  readonly standby: boolean;
  /** With `standby`: true for a proxy that follows the primary. */
  readonly proxy: boolean;
  /** With `standby`: path of HAProxy, in place of that proxy; null without. */
  readonly haproxy: string | null;
  /** Time between two ledgers of the standalone ledger; default 250 ms. */
  readonly closeMs?: number;
}

/** Services with one PostgreSQL and one ledger, each in processes that can be killed. */
export interface System {
  readonly services: readonly Supervised[];
  /** Null with a standby. */
  readonly postgres: SupervisedPostgres | null;
  /** Primary and standby; null for a single server. */
  readonly replicated: ReplicatedPostgres | null;
  /** The ledger's servers as the services see them. */
  readonly servers: readonly FaultyServer[];
  /** Published lists of the ledger's validators; empty if it has none. */
  readonly validatorLists: readonly ValidatorListSource[];
  /** Kills the ledger's process; resolves with false if none runs. */
  readonly killLedger: (awayMs: number) => Promise<boolean>;
  /** Proxies before a single PostgreSQL, and between the servers and the ledger. */
  readonly proxies: { readonly postgres: SeverableProxy | null; readonly ledger: SeverableProxy };
  /** Whole history of the anchoring accounts on the ledger. */
  readHistory(): Promise<readonly AccountHistory[]>;
  /** URL of the service chosen by `choice` (from 0 to below 1); null if none runs. */
  address(choice: number): string | null;
  /** Resolves when `GET /readyz` of every service that is not frozen answers 200. */
  ready(): Promise<void>;
  /** Environment of the services, for the operator's commands. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Opens the operator's session. PostgreSQL must be up, and must not be killed before the session
   * ends.
   */
  openSession(): Promise<OperatorSession>;
}

const defaultCloseMs = 250;
const proofWaitMs = 4_000;
const startsWithinMs = 60_000;
const accountCount = 4;
const serverCount = 3;

export async function startSystem(options: SystemOptions, cleanUp: CleanUp): Promise<System> {
  const { services: serviceCount, rippled, standby, closeMs = defaultCloseMs } = options;
  const dataDir = await createBenchFolder(cleanUp);
  const folder = join(dataDir, 'ledger');
  const ledger =
    rippled === null
      ? await startLedger(folder, closeMs, cleanUp)
      : await startRippled(rippled, folder, cleanUp);
  const { url: ledgerUrl } = ledger;
  const seeds = Array.from({ length: accountCount }, () => generateSeed({ algorithm: 'ed25519' }));
  const accounts = seeds.map((seed) => createSeedSigner(seed).address);
  await fundAccounts({ url: ledgerUrl, addresses: accounts, xrp: 1_000 });
  const folderOfPostgres = join(dataDir, 'postgres');
  const database = standby
    ? await startBoth(folderOfPostgres, options, cleanUp)
    : await startSingle(folderOfPostgres, cleanUp);
  const ledgerProxy = await startProxy(() => Number(new URL(ledgerUrl).port));
  cleanUp.defer(() => ledgerProxy.close());
  const proxies = { postgres: database.proxy, ledger: ledgerProxy };
  const servers: FaultyServer[] = [];
  for (let count = 0; count < serverCount; count += 1) {
    const server = await startFaultyServer(`ws://127.0.0.1:${proxies.ledger.port}`);
    cleanUp.defer(() => server.close());
    servers.push(server);
  }
  const { validatorLists } = ledger;
  const lists = validatorLists.map(({ url, publisherKey }) => `${url}=${publisherKey}`);
  const env = {
    DATABASE_URL: database.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
    STORAGE_URL: pathToFileURL(join(dataDir, 'files')).href,
    XRPL_TESTNET_URL: servers.map(({ url }) => url).join(','),
    XRPL_TESTNET_VALIDATOR_LISTS: lists.join(',') || 'none',
    XRPL_TESTNET_ACCOUNTS: seeds.join(','),
    PORT: '0',
    PROOF_WAIT_MS: String(proofWaitMs),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  };
  const services = Array.from({ length: serviceCount }, (_, index) => {
    const service = supervise({
      name: `service ${index + 1}`,
      file: 'src/main.ts',
      env: () => ({ ...env, DATA_DIR: join(dataDir, `service-${index + 1}`) }),
      pattern: /^Proofmark listens on (\S+)$/m,
    });
    cleanUp.defer(() => service.stop());
    return service;
  });
  const ready = async () => {
    await Promise.all(services.map(readyOrFrozen));
  };
  await ready();
  return {
    services,
    postgres: database.postgres,
    replicated: database.replicated,
    servers,
    validatorLists,
    killLedger: ledger.kill,
    proxies,
    readHistory: () => ledger.readHistory(accounts),
    ready,
    env: { ...env, DATA_DIR: dataDir },
    address(choice) {
      const able = services.filter((service) => service.found() !== null && !service.frozen());
      return able[Math.floor(choice * able.length)]?.found() ?? null;
    },
    openSession: () => openOperatorSession(loadConfig({ ...env, DATA_DIR: dataDir })),
  };
}

/** The database of the services. */
interface KilledDatabase extends Pick<System, 'postgres' | 'replicated'> {
  readonly url: string;
  readonly proxy: SeverableProxy | null;
}

async function startSingle(folder: string, cleanUp: CleanUp): Promise<KilledDatabase> {
  const postgres = await supervisePostgres(folder);
  cleanUp.defer(() => postgres.stop());
  const proxy = await startProxy(() => postgres.port());
  cleanUp.defer(() => proxy.close());
  const { href: url } = Object.assign(new URL(postgres.url), { port: proxy.port });
  return { url, postgres, replicated: null, proxy };
}

async function startBoth(
  folder: string,
  { proxy: isProxied, haproxy }: Pick<SystemOptions, 'proxy' | 'haproxy'>,
  cleanUp: CleanUp,
): Promise<KilledDatabase> {
  const replicated = await startReplicatedPostgres(folder);
  cleanUp.defer(() => replicated.stop());
  const { url, firstUrl, ports, primaryPort } = replicated;
  if (haproxy !== null) {
    const port = await startHaproxy({ program: haproxy, folder, ports, primaryPort }, cleanUp);
    const { href } = Object.assign(new URL(firstUrl), { port });
    return { url: href, postgres: null, replicated, proxy: null };
  }
  if (!isProxied) return { url, postgres: null, replicated, proxy: null };
  const proxy = await startProxy(() => replicated.primaryPort());
  cleanUp.defer(() => proxy.close());
  const { href } = Object.assign(new URL(firstUrl), { port: proxy.port });
  return { url: href, postgres: null, replicated, proxy };
}

/** A ledger that can be killed, and how the history of accounts is read from it. */
interface KilledLedger {
  readonly url: string;
  readonly validatorLists: System['validatorLists'];
  readonly kill: System['killLedger'];
  readHistory(accounts: readonly string[]): Promise<readonly AccountHistory[]>;
}

async function startLedger(
  dataDir: string,
  closeMs: number,
  cleanUp: CleanUp,
): Promise<KilledLedger> {
  const port = await chooseFreePort();
  const ledger = supervise({
    name: 'ledger',
    file: 'ops/run-ledger.ts',
    env: () => ({ DATA_DIR: dataDir, PORT: String(port), STANDALONE_CLOSE_MS: String(closeMs) }),
    pattern: /List of its validators: (\S+, published by \w+)\./,
  });
  cleanUp.defer(() => ledger.stop());
  const printed = await waitFor('the ledger runs', () => ledger.found(), startsWithinMs);
  const [listUrl = '', publisherKey = ''] = printed.split(', published by ');
  const url = `ws://127.0.0.1:${port}`;
  return {
    url,
    validatorLists: [{ url: listUrl, publisherKey }],
    kill: async (awayMs) => ledger.kill(awayMs),
    readHistory: (accounts) => readLedgerHistory(url, accounts),
  };
}

async function startRippled(
  program: string,
  folder: string,
  cleanUp: CleanUp,
): Promise<KilledLedger> {
  const rippled = await superviseRippled(program, folder);
  cleanUp.defer(() => rippled.stop());
  const { url, firstLedger } = rippled;
  return {
    url,
    validatorLists: [],
    kill: (awayMs) => rippled.kill(awayMs),
    readHistory: (accounts) => walkLedgers(url, accounts, firstLedger),
  };
}

async function readyOrFrozen(service: Supervised): Promise<void> {
  let lastAnswer = '';
  const look = async () => {
    if (service.frozen()) return true;
    const address = service.found();
    lastAnswer = address === null ? 'no address yet' : 'none';
    if (address === null) return null;
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${address}/readyz`, { signal }).catch(() => null);
    if (answer?.ok) return true;
    lastAnswer = (await answer?.text().catch(() => undefined)) ?? lastAnswer;
    return null;
  };
  await waitFor('a service is ready', look, startsWithinMs).catch((cause) => {
    throw new Error(`${service.name} did not become ready; its last answer: ${lastAnswer}`, {
      cause,
    });
  });
}
