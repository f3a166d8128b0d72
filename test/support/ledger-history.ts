import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import { type AccountTxResponse, Client } from 'xrpl';

/** A validated transaction that says it is a proof. */
export interface AnchoredProof {
  readonly txHash: string;
  readonly fileHash: string;
  readonly hashScheme: string;
  readonly result: string;
}

/** The ledger of the program that runs on this DATA_DIR, and the account that it anchors from. */
export async function ledgerOf(dataDir: string): Promise<{ url: string; account: string }> {
  const text = await readFile(join(dataDir, 'standalone.json'), 'utf8');
  const { port, seed } = JSON.parse(text) as { port: number; seed: string };
  return { url: `ws://127.0.0.1:${port}`, account: addressOf(seed) };
}

export function addressOf(seed: string): string {
  return deriveAddress(deriveKeypair(seed).publicKey);
}

/** Asks the ledger itself for everything that it holds of the account, page by page. */
export async function readAnchoredProofs(ledger: {
  readonly url: string;
  readonly account: string;
}): Promise<AnchoredProof[]> {
  const client = new Client(ledger.url);
  await client.connect();
  try {
    const found: AnchoredProof[] = [];
    let marker: unknown;
    do {
      const { result }: AccountTxResponse = await client.request({
        command: 'account_tx',
        account: ledger.account,
        ledger_index_min: -1,
        ledger_index_max: -1,
        limit: 20,
        ...(marker !== undefined && { marker }),
      });
      found.push(...result.transactions.flatMap(readProof));
      marker = result.marker;
    } while (marker !== undefined);
    return found;
  } finally {
    await client.disconnect();
  }
}

function readProof(entry: AccountTxResponse['result']['transactions'][number]): AnchoredProof[] {
  const { tx_json: tx, meta, validated, hash } = entry;
  if (!validated || tx?.TransactionType !== 'AccountSet') return [];
  const memo = tx.Memos?.[0]?.Memo;
  if (memo === undefined || fromHex(memo.MemoType) !== 'proofmark/proof') return [];
  const { fileHash, hashScheme } = JSON.parse(fromHex(memo.MemoData)) as AnchoredProof;
  const result = typeof meta === 'object' ? meta.TransactionResult : String(meta);
  return [{ txHash: hash ?? '', fileHash, hashScheme, result }];
}

function fromHex(hex = ''): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}
