import { type FailedTransaction, proofDecider } from '../domain/proof/decider.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { proofEntries } from '../loading/proof-entries.ts';

/**
 * Records again that an open proof was given up, after the log has lost that event: its hash is free,
 * and the unit of its document is returned. `failed` is its known transaction, if that failed on the
 * ledger; without it, a known transaction is absent. Appends nothing if the proof is given up.
 */
export async function recoverGivingUp(
  store: EventStore,
  proofId: ProofId,
  failed: FailedTransaction | null,
  meta: EventMeta,
): Promise<void> {
  await handleStreams(
    store,
    () => proofEntries(store, proofId, (state) => proofDecider.recoverGivingUp(state, failed)),
    meta,
  );
}
