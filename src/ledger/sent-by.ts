import { OperatorError } from '../errors/operator-error.ts';
import type { HistoryMarker, LedgerGateway, SentTransaction } from './contract.ts';

/**
 * Enough for twenty years of checkpoints. More pages mean that somebody else sends to the account.
 */
const maxPages = 1_000;

interface SentByOptions {
  /** Pages to read at most. */
  readonly most?: number;
  /** Earlier ledgers need not be searched. */
  readonly since?: number;
}

/**
 * Yields the account's transactions, newest first. Returns the oldest ledger that was searched.
 */
export async function* sentBy(
  gateway: Pick<LedgerGateway, 'sent'>,
  address: string,
  { most = Number.POSITIVE_INFINITY, since }: SentByOptions = {},
): AsyncGenerator<SentTransaction, { readonly searchedFrom: number }> {
  let from: HistoryMarker | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await gateway.sent(address, from, since);
    yield* page.transactions;
    const isLast = page.next === null || pages + 1 >= most;
    if (isLast) return { searchedFrom: page.searchedFrom };
    from = page.next;
  }
  throw new OperatorError(`the history of ${address} is longer than ${maxPages} pages`);
}
