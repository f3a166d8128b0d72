import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSeed } from 'ripple-keypairs';
import type { Test } from 'tap';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { newFolder } from './blobs.ts';
import { createTestDatabase } from './database.ts';
import { addressOf } from './own-ledger.ts';
import { emptyDataDir } from './program.ts';
import { projectRoot, type Run, run } from './run.ts';

/** A standalone ledger in a process of its own, which can be restarted. */
export interface LedgerProcess {
  readonly url: string;
  /** The process that runs now. */
  current(): Run;
  /** Restarts the ended process with its data. */
  restart(): Promise<void>;
  /** Replaces the ledger by a new one without any history. */
  reset(): Promise<void>;
}

/** Starts the program of `npm run ledger` on a free port. */
export async function startLedger(
  t: Pick<Test, 'teardown'>,
  options: { readonly closeMs: number },
): Promise<LedgerProcess> {
  const DATA_DIR = await emptyDataDir(t);
  const STANDALONE_CLOSE_MS = String(options.closeMs);
  const start = async (port: string) => {
    const env = { DATA_DIR, STANDALONE_CLOSE_MS, PORT: port };
    const ledger = run(t, [process.execPath, join(projectRoot, 'ops/run-ledger.ts')], { env });
    const [, url = ''] = await ledger.said(/ledger at (ws:\S+),/);
    return { ledger, url };
  };
  const first = await start('0');
  let current = first.ledger;
  const restart = async () => {
    await current.ended;
    current = (await start(new URL(first.url).port)).ledger;
  };
  return {
    url: first.url,
    current: () => current,
    restart,
    async reset() {
      current.kill('SIGKILL');
      await current.ended;
      await rm(join(DATA_DIR, 'standalone-ledger'), { recursive: true });
      await restart();
    },
  };
}

/** Environment of a program whose database and ledger are separate servers. */
export interface Hosted<Ledger = { readonly url: string }> {
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  readonly ledger: Ledger;
  /** Funded accounts that anchor proofs. */
  readonly accounts: readonly string[];
  /** Account that anchors checkpoints. */
  readonly checkpointAccount: string;
}

interface HostedOptions {
  readonly closeMs: number;
  readonly accounts?: number;
}

/** The ledger runs in the test's process, which is cheaper than a process of its own. */
export async function startHosted(
  t: Pick<Test, 'teardown'>,
  options: HostedOptions,
): Promise<Hosted<StandaloneLedger>> {
  const { url: databaseUrl } = await createTestDatabase(t);
  const ledger = await createStandaloneLedger({ closeMs: options.closeMs });
  t.teardown(() => ledger.stop());
  return hostedOn(t, databaseUrl, ledger, options);
}

/** The ledger runs in a process that the test can kill and restart. */
export async function startHostedOnProcess(
  t: Pick<Test, 'teardown'>,
  options: HostedOptions,
): Promise<Hosted<LedgerProcess>> {
  const { url: databaseUrl } = await createTestDatabase(t);
  return hostedOn(t, databaseUrl, await startLedger(t, options), options);
}

async function hostedOn<Ledger extends { readonly url: string }>(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
  ledger: Ledger,
  options: HostedOptions,
): Promise<Hosted<Ledger>> {
  const seeds = Array.from({ length: options.accounts ?? 1 }, () =>
    generateSeed({ algorithm: 'ed25519' }),
  );
  const accounts = seeds.map(addressOf);
  const checkpointSeed = generateSeed({ algorithm: 'ed25519' });
  const checkpointAccount = addressOf(checkpointSeed);
  const addresses = [...accounts, checkpointAccount];
  await fundAccounts({ url: ledger.url, addresses, xrp: 1_000 });
  const env = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: await newFolder(t),
    XRPL_TESTNET_URL: ledger.url,
    XRPL_TESTNET_ACCOUNTS: seeds.join(','),
    XRPL_TESTNET_VALIDATOR_LISTS: 'none',
    XRPL_TESTNET_CHECKPOINT_ACCOUNT: checkpointSeed,
  };
  return { env, databaseUrl, ledger, accounts, checkpointAccount };
}
