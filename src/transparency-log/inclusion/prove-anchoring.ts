import { requireAnchored } from '../../domain/proof/require-anchored.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OrganisationId, ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { anchoredAt } from '../../loading/find-anchored.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { type ChoosingDeps, type EventProof, proveEvent } from './prove-event.ts';

/** Dependencies of proving a proof's anchoring. */
export interface AnchoringProofDeps extends ChoosingDeps {
  readonly store: Pick<EventStore, 'readStream'>;
}

/**
 * Proves that a proof's Anchored event is in the log, against the newest checkpoint. Refuses with
 * PROOF_NOT_FOUND, PROOF_NOT_ANCHORED, or CHECKPOINT_PENDING if no checkpoint covers the event yet.
 */
export async function proveAnchoring(
  deps: AnchoringProofDeps,
  of: { readonly organisationId: OrganisationId; readonly proofId: ProofId },
): Promise<EventProof> {
  requireAnchored(await loadOwnProof(deps.store, of));
  const position = await anchoredAt(deps.store, of.proofId);
  const chosen = await deps.checkpoints.covering(position);
  if (chosen === null) {
    throw new Refusal(
      'CHECKPOINT_PENDING',
      'no published checkpoint of the log covers this proof yet; try again in a few seconds',
    );
  }
  return proveEvent(deps, position, chosen.checkpoint);
}
