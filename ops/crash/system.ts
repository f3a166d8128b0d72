import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
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
import { waitFor } from './wait-for.ts';

/** The service, its PostgreSQL and its ledger, each in processes that can be killed. */
export interface System {
  readonly dataDir: string;
  readonly service: Supervised;
  readonly ledger: Supervised;
  /** Between the service and the ledger. */
  readonly proxy: SeverableProxy;
  /** The ledger itself. */
  readonly ledgerUrl: string;
  /** The accounts that proofs are anchored from. */
  readonly accounts: readonly string[];
  /** Resolves when `GET /readyz` answers 200. */
  ready(): Promise<void>;
  /** The operator's access to the log; PostgreSQL must be up, and is not killed before its end. */
  openSession(): Promise<OperatorSession>;
}

const closeMs = 250;
const proofWaitMs = 4_000;
const startsWithinMs = 30_000;
const accountCount = 3;

export async function startSystem(cleanUp: CleanUp): Promise<System> {
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const ledgerPort = await chooseFreePort();
  const ledgerUrl = `ws://127.0.0.1:${ledgerPort}`;
  const ledger = supervise({
    name: 'ledger',
    file: 'ops/run-ledger.ts',
    env: () => ({
      DATA_DIR: join(dataDir, 'ledger'),
      PORT: String(ledgerPort),
      STANDALONE_CLOSE_MS: String(closeMs),
    }),
    pattern: /ledger at (ws:\S+),/,
  });
  cleanUp.defer(() => ledger.stop());
  await waitFor('the ledger runs', () => ledger.found(), startsWithinMs);
  const seeds = Array.from({ length: accountCount }, () => generateSeed({ algorithm: 'ed25519' }));
  const accounts = seeds.map((seed) => createSeedSigner(seed).address);
  await fundAccounts({ url: ledgerUrl, addresses: accounts, xrp: 1_000 });
  const proxy = await startProxy(ledgerPort);
  cleanUp.defer(() => proxy.close());
  const env = {
    DATA_DIR: join(dataDir, 'service'),
    MASTER_KEY: randomBytes(32).toString('base64'),
    XRPL_TESTNET_URL: `ws://127.0.0.1:${proxy.port}`,
    XRPL_TESTNET_ACCOUNTS: seeds.join(','),
    PORT: '0',
    PROOF_WAIT_MS: String(proofWaitMs),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  };
  const service = supervise({
    name: 'service',
    file: 'src/main.ts',
    env: () => env,
    pattern: /^Proofmark listens on (\S+)$/m,
  });
  cleanUp.defer(() => service.stop());
  let said = '';
  const isReady = async () => {
    const address = service.found();
    said = address === null ? 'not where it listens' : 'nothing';
    if (address === null) return null;
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${address}/readyz`, { signal }).catch(() => null);
    if (answer?.ok) return true;
    said = (await answer?.text().catch(() => undefined)) ?? said;
    return null;
  };
  const ready = async () => {
    await waitFor('the service is ready', isReady, startsWithinMs).catch((cause) => {
      throw new Error(`the service does not become ready; it says ${said}`, { cause });
    });
  };
  await ready();
  return {
    dataDir: env.DATA_DIR,
    service,
    ledger,
    proxy,
    ledgerUrl,
    accounts,
    ready,
    openSession: () => openOperatorSession(loadConfig(env)),
  };
}
