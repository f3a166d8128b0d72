import { type AccountTxResponse, Client } from 'xrpl';
import { z } from 'zod';

/** A validated transaction that says it is a proof. */
export interface LedgerProof {
  readonly txHash: string;
  readonly ledgerIndex: number;
  /** The file's hash or, with a salted scheme, its commitment. */
  readonly fileHash: string;
  readonly result: string;
}

/** Asks the ledger itself for everything that it holds of these accounts. */
export async function readLedgerProofs(
  url: string,
  accounts: readonly string[],
): Promise<readonly LedgerProof[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const found: LedgerProof[] = [];
    for (const account of accounts) {
      let marker: unknown;
      do {
        const { result }: AccountTxResponse = await client.request({
          command: 'account_tx',
          account,
          ledger_index_min: -1,
          ledger_index_max: -1,
          limit: 200,
          ...(marker !== undefined && { marker }),
        });
        found.push(...result.transactions.flatMap(readProof));
        marker = result.marker;
      } while (marker !== undefined);
    }
    return found;
  } finally {
    await client.disconnect();
  }
}

const memoOfProof = z.object({ fileHash: z.string() });

function readProof(entry: AccountTxResponse['result']['transactions'][number]): LedgerProof[] {
  const { tx_json: tx, meta, validated, hash = '', ledger_index: ledgerIndex = 0 } = entry;
  if (!validated || tx?.TransactionType !== 'AccountSet') return [];
  const memo = tx.Memos?.[0]?.Memo;
  if (memo === undefined || fromHex(memo.MemoType) !== 'proofmark/proof') return [];
  const { fileHash } = memoOfProof.parse(JSON.parse(fromHex(memo.MemoData)));
  const result = typeof meta === 'object' ? meta.TransactionResult : String(meta);
  return [{ txHash: hash, ledgerIndex, fileHash, result }];
}

function fromHex(hex = ''): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}
