import { sentBy } from '../src/commands/compare-anchored.ts';
import type { LogEvent } from '../src/domain/log/events.ts';
import type { ProofEvent } from '../src/domain/proof/events.ts';
import { streams } from '../src/domain/streams.ts';
import type { ProofId } from '../src/domain/ulid.ts';
import type { EventStore } from '../src/event-store/event-store.ts';
import type { StoredEvent } from '../src/event-store/stored-event.ts';
import type { LedgerGateway, SentTransaction } from '../src/ledger/contract.ts';

/** What may have been open, or free again, of one account when the log was copied: far more than there can be. */
const openSequences = 2_000;
const recentEvents = 5_000;
const recentLogEvents = 2_000;
const streamsAtOnce = 500;

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
  const { logId, ledgerId, account } = of;
  const recent = await store.readNewest(streams.account(ledgerId, account), recentEvents);
  const taken = recent.flatMap((event) =>
    event.type === 'SequencesTaken' ? event.data.taken : [],
  );
  const filled = recent.flatMap((event) => (event.type === 'GapFillPrepared' ? [event.data] : []));
  const highest = Math.max(0, ...[...taken, ...filled].map(({ sequence }) => sequence));
  const from = Math.max(0, highest - openSequences);
  const proofIds = taken.flatMap((one) =>
    'proofId' in one && one.sequence >= from ? [one.proofId] : [],
  );
  const ownLog = await store.readNewest(streams.log(logId), recentLogEvents);
  const known = new Set([
    ...filled.map(({ transactionHash }) => transactionHash),
    ...(await signedFor(store, [...new Set(proofIds)])),
    ...ownLog.flatMap((event) => namedBy(event as StoredEvent<LogEvent>)),
  ]);

  const unknown: SentTransaction[] = [];
  // The Sequences of an account have no gaps on a ledger: what is not seen was before the history.
  let seenFrom = (await gateway.account(account, 0))?.sequence ?? 0;
  const history = sentBy(gateway, account);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      if (highest > 0 && seenFrom > highest + 1) throw shortHistory(gateway, account, value);
      break;
    }
    if (value.sequence < from) break;
    seenFrom = value.sequence;
    if (!known.has(value.hash)) unknown.push(value);
  }
  return unknown.reverse();
}

function shortHistory(
  { network }: Pick<LedgerGateway, 'network'>,
  account: string,
  { searchedFrom }: { readonly searchedFrom: number },
): Error {
  return new Error(
    `what ${account} sent before ledger ${searchedFrom} is told by no server of ${network}: add one ` +
      'with more history',
  );
}

/** Hashes of everything that was ever signed for these proofs. */
async function signedFor(
  store: Pick<EventStore, 'readStreams'>,
  proofIds: readonly ProofId[],
): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (let start = 0; start < proofIds.length; start += streamsAtOnce) {
    const names = proofIds.slice(start, start + streamsAtOnce).map(streams.proof);
    for (const events of (await store.readStreams(names)).values()) {
      for (const event of events as readonly StoredEvent<ProofEvent>[]) {
        if (event.type === 'AnchorPrepared') hashes.push(event.data.transactionHash);
      }
    }
  }
  return hashes;
}

/** Those of checkpoints, and what was lost before. */
function namedBy(event: StoredEvent<LogEvent>): readonly string[] {
  if (event.type === 'CheckpointPrepared') return [event.data.transactionHash];
  if (event.type !== 'TransactionsLost') return [];
  return event.data.transactions.map(({ transactionHash }) => transactionHash);
}
