import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveAddress, deriveKeypair, generateSeed } from 'ripple-keypairs';
import { fundAccounts } from './fund-accounts.ts';
import { replaceFile } from './postgres/replace-file.ts';
import { startStandaloneLedgerThread } from './standalone-ledger/start-standalone-ledger-thread.ts';

/** The network of a service for which none is configured. */
export interface StandaloneNetwork {
  readonly url: string;
  /** Seed of the funded account to anchor from; worthless on any other ledger. */
  readonly seed: string;
  stop(): Promise<void>;
}

const fundingXrp = 10_000_000;

/**
 * Runs the standalone ledger with its history in DATA_DIR/ledger and one funded anchoring account,
 * whose seed is made once. Seed and port are kept in DATA_DIR/standalone.json (0600), where the
 * operator's commands find the ledger.
 */
export async function startStandaloneNetwork(options: {
  readonly dataDir: string;
  readonly closeMs: number;
}): Promise<StandaloneNetwork> {
  const { dataDir, closeMs } = options;
  const file = join(dataDir, 'standalone.json');
  const seed = (await readSeed(file)) ?? generateSeed({ algorithm: 'ed25519' });
  const ledger = await startStandaloneLedgerThread({ dataDir: join(dataDir, 'ledger'), closeMs });
  try {
    const { url, port } = ledger;
    await replaceFile(file, `${JSON.stringify({ port, seed })}\n`, 0o600);
    const address = deriveAddress(deriveKeypair(seed).publicKey);
    await fundAccounts({ url, addresses: [address], xrp: fundingXrp });
    return { url, seed, stop: () => ledger.stop() };
  } catch (error) {
    await ledger.stop();
    throw error;
  }
}

async function readSeed(file: string): Promise<string | null> {
  try {
    const { seed } = JSON.parse(await readFile(file, 'utf8')) as { seed: string };
    deriveKeypair(seed);
    return seed;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(
      `${file} cannot be read: put it back from a copy, or remove it and start; a new account is then funded`,
      {
        cause: error,
      },
    );
  }
}
