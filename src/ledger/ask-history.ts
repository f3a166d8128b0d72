import { decode } from 'ripple-binary-codec';
import { type RawMemos, readMemos } from './anchor-transaction.ts';
import type { HistoryMarker, HistoryPage, SentTransaction } from './contract.ts';
import type { ServerConnection } from './server-connection.ts';
import { nullIfRefused, ServerRefused } from './server-refused.ts';
import { hashOfTransaction } from './sha512-half.ts';
import { readTransactionResult } from './transaction-result.ts';

const pageLength = 200;

/**
 * One page of the account's validated transactions, newest first, beginning with the ledger `since`.
 * In the server's whole history without `since`, or if the server does not have that ledger.
 */
export async function askHistory(
  server: ServerConnection,
  address: string,
  from?: HistoryMarker,
  since?: number,
): Promise<HistoryPage> {
  try {
    return await askPage(server, address, from, since ?? -1);
  } catch (error) {
    const isOutside = error instanceof ServerRefused && outside.has(error.code);
    if (since === undefined || !isOutside) throw error;
    return askPage(server, address, from, -1);
  }
}

/** Answers for a range that the server's history does not have (xrpl.org, account_tx). */
const outside: ReadonlySet<string> = new Set([
  ...(['lgrIdxMalformed', 'invalidLgrRange', 'lgrIdxsInvalid'] as const),
]);

async function askPage(
  server: ServerConnection,
  address: string,
  from: HistoryMarker | undefined,
  since: number,
): Promise<HistoryPage> {
  const page = await nullIfRefused('actNotFound', async () => {
    const answer = await server.request<HistoryAnswer>('account_tx', {
      account: address,
      ledger_index_min: since,
      ledger_index_max: -1,
      binary: true,
      limit: pageLength,
      ...(from === undefined ? {} : { marker: from }),
    });
    const transactions = answer.transactions.flatMap((each) => readSent(each, address));
    return { transactions, searchedFrom: answer.ledger_index_min, next: answer.marker ?? null };
  });
  return page ?? { transactions: [], searchedFrom: 0, next: null };
}

interface HistoryAnswer {
  readonly ledger_index_min: number;
  readonly transactions: readonly {
    readonly ledger_index: number;
    readonly tx_blob: string;
    readonly meta_blob: string;
    readonly validated?: boolean;
  }[];
  readonly marker?: HistoryMarker;
}

/** Leaves out transactions of others and those that are not validated. */
function readSent(
  { ledger_index, tx_blob, meta_blob, validated }: HistoryAnswer['transactions'][number],
  address: string,
): SentTransaction[] {
  const { Account, Sequence, Fee, LastLedgerSequence, Memos } = decode(tx_blob) as unknown as {
    Account: string;
    Sequence: number;
    Fee: string;
    LastLedgerSequence?: number;
    Memos?: RawMemos;
  };
  if (Account !== address || validated === false) return [];
  return [
    {
      hash: hashOfTransaction(Buffer.from(tx_blob, 'hex')),
      blob: tx_blob,
      ledgerIndex: ledger_index,
      engineResult: readTransactionResult(meta_blob).engineResult,
      sequence: Sequence === 0 ? null : Sequence,
      feeDrops: Number(Fee),
      lastLedgerSequence: LastLedgerSequence ?? null,
      memos: readMemos(Memos),
    },
  ];
}
