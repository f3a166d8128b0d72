import type { HistoryMarker, LedgerGateway, SentTransaction } from '../../ledger/contract.ts';

/**
 * Enough for twenty years of checkpoints. More pages mean that somebody else sends to the account.
 */
const maxPages = 1_000;

/**
 * Yields the account's transactions, newest first, from at most `most` pages. Returns the oldest
 * ledger in the servers' history.
 */
export async function* sentBy(
  gateway: Pick<LedgerGateway, 'sent'>,
  address: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<SentTransaction, { readonly searchedFrom: number }> {
  let from: HistoryMarker | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await gateway.sent(address, from);
    yield* page.transactions;
    const isLast = page.next === null || pages + 1 >= most;
    if (isLast) return { searchedFrom: page.searchedFrom };
    from = page.next;
  }
  throw new Error(`the history of ${address} is longer than ${maxPages} pages`);
}
