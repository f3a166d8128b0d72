import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { HistoryTooShort } from '../guard/history-too-short.ts';
import { knownSignatures } from '../guard/known-signatures.ts';
import { sentBy } from '../guard/sent-by.ts';

/** What may have been open, or free again, of one account when the log was copied: far more than there can be. */
const openSequences = 2_000;

/**
 * The transactions that the account sent, as the ledger has them, of which the log knows nothing: the
 * oldest first. Whoever signed them has forgotten it. Rejects where the servers' history does not go
 * back to what the log knows.
 */
export async function unknownTransactions(
  store: Pick<EventStore, 'readNewest' | 'readStreams'>,
  gateway: Pick<LedgerGateway, 'account' | 'sent' | 'network'>,
  of: { readonly logId: string; readonly ledgerId: string; readonly account: string },
): Promise<readonly SentTransaction[]> {
  const { account } = of;
  const { highest, hashes } = await knownSignatures(store, of, lowestOpen);
  const unknown: SentTransaction[] = [];
  // The Sequences of an account have no gaps on a ledger: what is not seen was before the history.
  let seenFrom = (await gateway.account(account, 0))?.sequence ?? 0;
  const history = sentBy(gateway, account);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      if (highest > 0 && seenFrom > highest + 1)
        throw new HistoryTooShort({ network: gateway.network, account, ...value });
      break;
    }
    if (value.sequence !== null) {
      if (value.sequence < lowestOpen(highest)) break;
      seenFrom = value.sequence;
    }
    if (!hashes.has(value.hash)) unknown.push(value);
  }
  return unknown.reverse();
}

function lowestOpen(highest: number): number {
  return Math.max(0, highest - openSequences);
}
