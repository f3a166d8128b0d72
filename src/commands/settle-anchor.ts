import type { TransactionOutcome } from '../domain/ledger/transaction.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofState } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { proofEntries } from '../loading/proof-entries.ts';

/**
 * Records the outcome of a transaction with the proof's commitment. A proof that is rolled back
 * releases its hash in the same append.
 */
export async function settleAnchor(
  store: EventStore,
  proofId: ProofId,
  outcome: TransactionOutcome,
  meta: EventMeta,
): Promise<void> {
  const command = (state: ProofState) => proofDecider.settleAnchor(state, outcome);
  await handleStreams(store, () => proofEntries(store, proofId, command), meta);
}
