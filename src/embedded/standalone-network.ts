import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeSeed } from 'ripple-address-codec';
import { deriveAddress, generateSeed } from 'ripple-keypairs';
import { replaceFile } from '../files/replace-file.ts';
import { fundAccounts } from './fund-accounts.ts';
import type { ValidatorListPlace } from './standalone-ledger/create-standalone-ledger.ts';
import { startStandaloneLedgerThread } from './standalone-ledger/start-standalone-ledger-thread.ts';
import { ed25519Key } from './standalone-ledger/validators/signing-key.ts';

/** The network of a service without a configured network. */
interface StandaloneNetwork {
  readonly url: string;
  /** Seed of the funded account that anchors proofs; worthless on any other ledger. */
  readonly seed: string;
  /** Seed of the funded account that anchors checkpoints of the log. */
  readonly checkpointSeed: string;
  /** The list of its validators, and the master key of the list's publisher. */
  readonly validatorList: ValidatorListPlace;
  stop(): Promise<void>;
}

const fundingXrp = 10_000_000;

/**
 * Runs the standalone ledger with its history in DATA_DIR/ledger, and funds two anchoring accounts,
 * whose seeds are made once. Seeds and port are kept in DATA_DIR/standalone.json (0600), which
 * operator commands read to find the ledger.
 */
export async function startStandaloneNetwork(options: {
  readonly dataDir: string;
  readonly closeMs: number;
}): Promise<StandaloneNetwork> {
  const { dataDir, closeMs } = options;
  const file = join(dataDir, 'standalone.json');
  const kept = await readSeeds(file);
  const seed = kept.seed ?? newSeed();
  const checkpointSeed = kept.checkpointSeed ?? newSeed();
  const ledger = await startStandaloneLedgerThread({ dataDir: join(dataDir, 'ledger'), closeMs });
  try {
    const { url, port, validatorList } = ledger;
    await replaceFile(file, `${JSON.stringify({ port, seed, checkpointSeed })}\n`, 0o600);
    const addresses = [seed, checkpointSeed].map(addressOf);
    await fundAccounts({ url, addresses, xrp: fundingXrp });
    return { url, seed, checkpointSeed, validatorList, stop: () => ledger.stop() };
  } catch (error) {
    await ledger.stop();
    throw error;
  }
}

interface Seeds {
  readonly seed?: string;
  /** Absent in files written before checkpoints were anchored. */
  readonly checkpointSeed?: string;
}

const newSeed = () => generateSeed({ algorithm: 'ed25519' });

/** The account of an ed25519 seed. ripple-keypairs takes 60 ms the first time, OpenSSL 1 ms. */
function addressOf(seed: string): string {
  const entropy = Buffer.from(decodeSeed(seed).bytes);
  // The first half of SHA-512 (xrpl.org, Cryptographic Keys, Ed25519 Key Derivation).
  return deriveAddress(ed25519Key(hash('sha512', entropy, 'hex').slice(0, 64)).publicKey);
}

async function readSeeds(file: string): Promise<Seeds> {
  try {
    const { seed, checkpointSeed } = JSON.parse(await readFile(file, 'utf8')) as Required<Seeds>;
    for (const each of [seed, checkpointSeed ?? seed]) addressOf(each);
    return { seed, checkpointSeed };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(
      `${file} cannot be read: restore it from a copy, or remove it and start again, which funds a new account`,
      {
        cause: error,
      },
    );
  }
}
