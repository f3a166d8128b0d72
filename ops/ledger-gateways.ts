import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filter, firstValueFrom, timeout } from 'rxjs';
import type { Config } from '../src/config.ts';
import { networks } from '../src/domain/network.ts';
import type { LedgerGateway } from '../src/ledger/contract.ts';
import { openGateway } from '../src/ledger/gateway.ts';
import { createSeedSigner, type Signer } from '../src/ledger/signer.ts';

/** A configured network, with its anchoring accounts and the keys that are to sign for them. */
export interface OperatorNetwork {
  readonly gateway: LedgerGateway;
  readonly keys: readonly AccountKey[];
}

export type AccountKey = Pick<Signer, 'address' | 'publicKey'>;

const connectMs = 5_000;

/**
 * Connects to the ledgers of the configuration, the running standalone one included, and waits a
 * while for each server. Whether they are connected is for the caller to see.
 */
export async function openNetworks(config: Config): Promise<readonly OperatorNetwork[]> {
  const opened = (await configured(config)).map(({ network, urls, keys }) => ({
    gateway: openGateway({ network, urls }),
    keys,
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

async function configured(config: Config) {
  const named = networks.flatMap((network) => {
    const own = config.networks[network];
    if (own === undefined) return [];
    const keys = own.accounts.map(({ seed, address }) => keyOf(seed.reveal(), address));
    return [{ network, urls: own.urls, keys }];
  });
  return named.length > 0 ? named : [await standalone(config.dataDir)];
}

async function standalone(dataDir: string) {
  const file = join(dataDir, 'standalone.json');
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(
      `no ledger is configured, and the standalone one has never run here (${file})`,
      {
        cause,
      },
    );
  });
  const { port, seed } = JSON.parse(text) as { port: number; seed: string };
  const urls = [`ws://127.0.0.1:${port}`];
  return { network: 'testnet' as const, urls, keys: [keyOf(seed)] };
}

/** Of a signer what may be known, without the means to sign. */
function keyOf(seed: string, account?: string): AccountKey {
  const { address, publicKey } = createSeedSigner(seed, account);
  return { address, publicKey };
}
