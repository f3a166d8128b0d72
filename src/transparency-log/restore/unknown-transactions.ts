import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { sentBy } from '../../ledger/sent-by.ts';
import { LogUnconfirmed } from '../guard/check.ts';
import { knownSignatures } from '../known-signatures.ts';

/** Number of newest Sequences of an account to check: far more than can be open or free again. */
const openSequences = 2_000;

/**
 * Transactions of the account on the ledger that the log does not know, the oldest first: their
 * signer has lost the record of them. Rejects if the servers' history does not go back to the
 * transactions that the log knows.
 */
export async function unknownTransactions(
  store: Pick<EventStore, 'readNewest' | 'readStreams'>,
  gateway: Pick<LedgerGateway, 'account' | 'sent' | 'network'>,
  of: { readonly logId: string; readonly ledgerId: string; readonly account: string },
): Promise<readonly SentTransaction[]> {
  const { account } = of;
  const { highest, hashes } = await knownSignatures(store, of, lowestOpen);
  const unknown: SentTransaction[] = [];
  // The Sequences of an account have no gaps on a ledger: unseen ones are older than the history.
  let seenFrom = (await gateway.account(account, 0))?.sequence ?? 0;
  const history = sentBy(gateway, account);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      if (highest > 0 && seenFrom > highest + 1) {
        const { network } = gateway;
        throw new LogUnconfirmed({ status: 'history-ends', network, account, ...value });
      }
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
