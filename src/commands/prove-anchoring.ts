import { requireAnchored } from '../domain/proof/decide.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import {
  type EventProof,
  type ProvingDeps,
  proveEvent,
} from '../transparency-log/inclusion/prove-event.ts';
import { lastPublished } from '../transparency-log/publish/published-checkpoints.ts';
import { loadOwnProof } from './load-own-proof.ts';

/**
 * Proves that a proof's Anchored event is in the log, against the newest checkpoint. Refuses with
 * PROOF_NOT_FOUND, PROOF_NOT_ANCHORED, and CHECKPOINT_PENDING where no checkpoint covers it yet.
 */
export async function proveAnchoring(
  deps: ProvingDeps & { readonly store: Pick<EventStore, 'readStream'> },
  of: { readonly organisationId: OrganisationId; readonly proofId: ProofId },
): Promise<EventProof> {
  requireAnchored(await loadOwnProof(deps.store, of));
  const position = await anchoredAt(deps.store, of.proofId);
  const last = await lastPublished(deps.db);
  if (last === null || last.size < position) {
    throw new Refusal(
      'CHECKPOINT_PENDING',
      'no checkpoint of the log covers this proof yet; one is published every few seconds',
    );
  }
  return proveEvent(deps, position, last);
}

/** The position of the event by which a proof was anchored, which it was. */
export async function anchoredAt(
  store: Pick<EventStore, 'readStream'>,
  proofId: ProofId,
): Promise<number> {
  const events = await store.readStream(streams.proof(proofId));
  const anchored = events.findLast(({ type }) => type === 'Anchored');
  if (anchored === undefined) throw new Error(`${proofId} was never anchored`);
  return anchored.position;
}
