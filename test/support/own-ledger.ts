import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';

/** URL of the embedded ledger of the program on this DATA_DIR, and its anchoring account. */
export async function ledgerOf(dataDir: string): Promise<{ url: string; account: string }> {
  const text = await readFile(join(dataDir, 'standalone.json'), 'utf8');
  const { port, seed } = JSON.parse(text) as { port: number; seed: string };
  return { url: `ws://127.0.0.1:${port}`, account: addressOf(seed) };
}

export function addressOf(seed: string): string {
  return deriveAddress(deriveKeypair(seed).publicKey);
}
