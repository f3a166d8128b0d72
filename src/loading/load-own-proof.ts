import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible, type VisibleProof } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';

/**
 * A proof of the organisation as the log has it now. Refuses with PROOF_NOT_FOUND if there is none,
 * it is another organisation's, or callers can no longer see it. The refusal does not distinguish
 * these cases.
 */
export async function loadOwnProof(
  store: Pick<EventStore, 'readStream'>,
  of: { readonly organisationId: OrganisationId; readonly proofId: ProofId },
): Promise<VisibleProof> {
  const { state } = await load(store, streams.proof(of.proofId), proofDecider);
  if (isVisible(state) && state.request.organisationId === of.organisationId) return state;
  throw new Refusal('PROOF_NOT_FOUND', 'there is no such proof in this organisation');
}
