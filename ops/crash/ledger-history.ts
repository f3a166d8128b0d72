import { type AccountTxResponse, Client } from 'xrpl';
import { z } from 'zod';

/** History of one account in the validated ledgers. */
export interface AccountHistory {
  readonly address: string;
  /** Sequence that the account was created with. */
  readonly firstSequence: number;
  /** Sequence that its next transaction must have. */
  readonly nextSequence: number;
  /** All transactions that the account sent, oldest first. */
  readonly sent: readonly SentTransaction[];
}

export interface SentTransaction {
  readonly txHash: string;
  readonly ledgerIndex: number;
  readonly sequence: number;
  readonly result: string;
  /** Content of its memo; null if it is no proof. */
  readonly memo: { readonly fileHash: string; readonly hashScheme: string } | null;
}

/** A transaction with the memo of a proof. */
export interface LedgerProof {
  readonly txHash: string;
  readonly ledgerIndex: number;
  /** The file's hash or, with a salted scheme, its commitment. */
  readonly fileHash: string;
  readonly hashScheme: string;
  readonly result: string;
}

/** Reads the whole history of these accounts from the ledger, page by page. */
export async function readLedgerHistory(
  url: string,
  addresses: readonly string[],
): Promise<readonly AccountHistory[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const histories: AccountHistory[] = [];
    for (const address of addresses) histories.push(await readAccount(client, address));
    return histories;
  } finally {
    await client.disconnect();
  }
}

export async function readLedgerProofs(
  url: string,
  addresses: readonly string[],
): Promise<readonly LedgerProof[]> {
  return (await readLedgerHistory(url, addresses)).flatMap(proofsOf);
}

export function proofsOf({ sent }: AccountHistory): readonly LedgerProof[] {
  return sent.flatMap(({ txHash, ledgerIndex, result, memo }) =>
    memo === null ? [] : [{ txHash, ledgerIndex, ...memo, result }],
  );
}

/** A transaction as `account_tx` and `ledger` show it. */
export type LedgerEntry = AccountTxResponse['result']['transactions'][number];

const pageSize = 200;

async function readAccount(client: Client, address: string): Promise<AccountHistory> {
  const range = { ledger_index_min: -1, ledger_index_max: -1, limit: pageSize, forward: true };
  const entries: LedgerEntry[] = [];
  let marker: unknown;
  do {
    const { result }: AccountTxResponse = await client.request({
      command: 'account_tx',
      account: address,
      ...range,
      ...(marker !== undefined && { marker }),
    });
    entries.push(...result.transactions.filter(({ validated }) => validated));
    marker = result.marker;
  } while (marker !== undefined);
  return historyOf(client, address, entries);
}

/** History of an account, from validated transactions that contain all of the account's own. */
export async function historyOf(
  client: Client,
  address: string,
  entries: readonly LedgerEntry[],
): Promise<AccountHistory> {
  const { result } = await client.request({
    command: 'account_info',
    account: address,
    ledger_index: 'validated',
  });
  return {
    address,
    firstSequence: firstSequenceOf(address, entries),
    nextSequence: result.account_data.Sequence,
    sent: entries.flatMap((entry) => readSent(address, entry)),
  };
}

/** First Sequence of an account, from the AccountRoot that its creation added to the ledger. */
function firstSequenceOf(address: string, entries: readonly LedgerEntry[]): number {
  for (const { meta } of entries) {
    if (typeof meta !== 'object') continue;
    for (const node of meta.AffectedNodes) {
      const fields = 'CreatedNode' in node ? node.CreatedNode.NewFields : {};
      if (fields.Account === address) return z.number().parse(fields.Sequence);
    }
  }
  throw new Error(`the ledger does not show the creation of account ${address}`);
}

function readSent(address: string, entry: LedgerEntry): readonly SentTransaction[] {
  const { tx_json: tx, meta, hash: txHash = '', ledger_index: ledgerIndex = 0 } = entry;
  if (tx?.Account !== address) return [];
  const result = typeof meta === 'object' ? meta.TransactionResult : String(meta);
  const memo = tx.TransactionType === 'AccountSet' ? readMemo(tx.Memos?.[0]?.Memo) : null;
  return [{ txHash, ledgerIndex, sequence: tx.Sequence ?? 0, result, memo }];
}

const memoOfProof = z.object({ fileHash: z.string(), hashScheme: z.string() });

function readMemo(memo: { MemoType?: string; MemoData?: string } | undefined) {
  if (memo === undefined || fromHex(memo.MemoType) !== 'proofmark/proof') return null;
  return memoOfProof.parse(JSON.parse(fromHex(memo.MemoData)));
}

function fromHex(hex = ''): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}
