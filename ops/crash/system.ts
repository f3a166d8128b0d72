import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateSeed } from 'ripple-keypairs';
import { loadConfig } from '../../src/config.ts';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import { createBenchFolder } from '../bench/bench-folder.ts';
import type { CleanUp } from '../bench/clean-up.ts';
import { type OperatorSession, openOperatorSession } from '../operator-session.ts';
import { type SeverableProxy, startProxy } from './severable-proxy.ts';
import { type Supervised, supervise } from './supervised.ts';
import { type SupervisedPostgres, supervisePostgres } from './supervised-postgres.ts';
import { waitFor } from './wait-for.ts';

/** Services on one PostgreSQL and one ledger, each in processes that can be killed. */
export interface System {
  readonly services: readonly Supervised[];
  readonly postgres: SupervisedPostgres;
  readonly ledger: Supervised;
  /** Between the services and PostgreSQL, and between them and the ledger. */
  readonly proxies: { readonly postgres: SeverableProxy; readonly ledger: SeverableProxy };
  /** The ledger itself. */
  readonly ledgerUrl: string;
  /** The accounts that proofs are anchored from. */
  readonly accounts: readonly string[];
  /** Where the service that `choice`, from 0 up to but not 1, falls on listens; null if none does. */
  address(choice: number): string | null;
  /** Resolves when `GET /readyz` of every service that is not frozen answers 200. */
  ready(): Promise<void>;
  /** The operator's access to the log; PostgreSQL must be up, and is not killed before its end. */
  openSession(): Promise<OperatorSession>;
}

const closeMs = 250;
const proofWaitMs = 4_000;
const startsWithinMs = 60_000;
const accountCount = 4;

export async function startSystem(serviceCount: number, cleanUp: CleanUp): Promise<System> {
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const { ledger, ledgerUrl } = await startLedger(join(dataDir, 'ledger'), cleanUp);
  const seeds = Array.from({ length: accountCount }, () => generateSeed({ algorithm: 'ed25519' }));
  const accounts = seeds.map((seed) => createSeedSigner(seed).address);
  await fundAccounts({ url: ledgerUrl, addresses: accounts, xrp: 1_000 });
  const postgres = await supervisePostgres(join(dataDir, 'postgres'));
  cleanUp.defer(() => postgres.stop());
  const proxies = {
    postgres: await startProxy(() => postgres.port()),
    ledger: await startProxy(() => Number(new URL(ledgerUrl).port)),
  };
  cleanUp.defer(() => proxies.postgres.close());
  cleanUp.defer(() => proxies.ledger.close());
  const databaseUrl = Object.assign(new URL(postgres.url), { port: proxies.postgres.port });
  const env = {
    DATABASE_URL: databaseUrl.href,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
    STORAGE_URL: pathToFileURL(join(dataDir, 'files')).href,
    XRPL_TESTNET_URL: `ws://127.0.0.1:${proxies.ledger.port}`,
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
    postgres,
    ledger,
    proxies,
    ledgerUrl,
    accounts,
    ready,
    address(choice) {
      const able = services.filter((service) => service.found() !== null && !service.frozen());
      return able[Math.floor(choice * able.length)]?.found() ?? null;
    },
    openSession: () => openOperatorSession(loadConfig({ ...env, DATA_DIR: dataDir })),
  };
}

async function startLedger(dataDir: string, cleanUp: CleanUp) {
  const port = await chooseFreePort();
  const ledger = supervise({
    name: 'ledger',
    file: 'ops/run-ledger.ts',
    env: () => ({ DATA_DIR: dataDir, PORT: String(port), STANDALONE_CLOSE_MS: String(closeMs) }),
    pattern: /ledger at (ws:\S+),/,
  });
  cleanUp.defer(() => ledger.stop());
  await waitFor('the ledger runs', () => ledger.found(), startsWithinMs);
  return { ledger, ledgerUrl: `ws://127.0.0.1:${port}` };
}

async function readyOrFrozen(service: Supervised): Promise<void> {
  let said = '';
  const look = async () => {
    if (service.frozen()) return true;
    const address = service.found();
    said = address === null ? 'not where it listens' : 'nothing';
    if (address === null) return null;
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${address}/readyz`, { signal }).catch(() => null);
    if (answer?.ok) return true;
    said = (await answer?.text().catch(() => undefined)) ?? said;
    return null;
  };
  await waitFor('a service is ready', look, startsWithinMs).catch((cause) => {
    throw new Error(`${service.name} does not become ready; it says ${said}`, { cause });
  });
}
