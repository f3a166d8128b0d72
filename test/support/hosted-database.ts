import { randomBytes } from 'node:crypto';
import { generateSeed } from 'ripple-keypairs';
import type { Test } from 'tap';
import { newFolder } from './blobs.ts';
import { createTestDatabase } from './database.ts';

/** Creates an empty database, and the environment of an operator who works on it. */
export async function hostedDatabase(t: Pick<Test, 'teardown'>) {
  const { url } = await createTestDatabase(t, { migrate: false });
  const masterKey = randomBytes(32);
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: masterKey.toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: await newFolder(t),
    XRPL_TESTNET_URL: 'ws://127.0.0.1:1',
    XRPL_TESTNET_ACCOUNTS: generateSeed(),
    XRPL_TESTNET_VALIDATOR_LISTS: 'none',
  };
  return { url, masterKey, env };
}
