import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filter, firstValueFrom, timeout } from 'rxjs';
import type { AccountConfig } from '../../src/config/networks.ts';
import { parseOneAccount } from '../../src/config/parse-accounts.ts';
import type { Config } from '../../src/config.ts';
import { type Network, networks } from '../../src/domain/network.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';

/** A configured network, with its anchoring accounts and their keys. */
export interface OperatorNetwork {
  readonly gateway: LedgerGateway;
  readonly keys: readonly AccountKey[];
  /** Key of the account that anchors checkpoints; null without one. */
  readonly checkpointKey: AccountKey | null;
}

export type AccountKey = Pick<AccountConfig, 'address' | 'publicKey'>;

const connectMs = 5_000;

/**
 * Connects to the configured ledgers, or to the running standalone ledger. Waits at most
 * `connectMs` for each server; the caller must check whether it is connected.
 */
export async function openNetworks(config: Config): Promise<readonly OperatorNetwork[]> {
  const opened = (await configured(config)).map(({ network, urls, ...accounts }) => ({
    gateway: openGateway({ network, urls }),
    ...accounts,
  }));
  await Promise.all(
    opened.map(({ gateway }) => {
      const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
      const verdict = gateway.status.pipe(filter(tried), timeout(connectMs));
      return firstValueFrom(verdict).catch(() => null);
    }),
  );
  return opened;
}

/** URLs of the configured ledger servers, or of the running standalone ledger, by network. */
export async function networkUrls(
  config: Config,
): Promise<ReadonlyMap<Network, readonly string[]>> {
  return new Map((await configured(config)).map(({ network, urls }) => [network, urls]));
}

/** Returns the account that anchors checkpoints. Rejects with advice if none is configured. */
export async function checkpointAccount(config: Config): Promise<string> {
  // The service uses the first network that has one, too.
  const own = (await configured(config)).flatMap(({ checkpointKey }) => checkpointKey ?? [])[0];
  if (own !== undefined) return own.address;
  throw new OperatorError(
    'no account for checkpoints is configured: set XRPL_MAINNET_CHECKPOINT_ACCOUNT (or ' +
      'XRPL_TESTNET_CHECKPOINT_ACCOUNT), and restart the service',
  );
}

async function configured(config: Config) {
  const named = networks.flatMap((network) => {
    const own = config.networks[network];
    if (own === undefined) return [];
    const { urls, accounts, checkpointAccount } = own;
    return [
      {
        network,
        urls,
        keys: accounts.map(keyOf),
        checkpointKey: checkpointAccount && keyOf(checkpointAccount),
      },
    ];
  });
  return named.length > 0 ? named : [await standalone(config.dataDir)];
}

async function standalone(dataDir: string) {
  const file = join(dataDir, 'standalone.json');
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(
      `no ledger is configured, and the standalone ledger has never run here (no ${file}): set XRPL_MAINNET_URL or XRPL_TESTNET_URL, or start the service`,
      {
        cause,
      },
    );
  });
  const { port, seed, checkpointSeed } = JSON.parse(text) as StandaloneFile;
  const urls = [`ws://127.0.0.1:${port}`];
  const checkpointKey =
    checkpointSeed === undefined ? null : keyOf(parseOneAccount(checkpointSeed));
  return { network: 'testnet' as const, urls, keys: [keyOf(parseOneAccount(seed))], checkpointKey };
}

interface StandaloneFile {
  readonly port: number;
  readonly seed: string;
  readonly checkpointSeed?: string;
}

/** The account without its seed. */
function keyOf({ address, publicKey }: AccountConfig): AccountKey {
  return { address, publicKey };
}
