import { type Observable, race, timer } from 'rxjs';
import { endWait } from '../commands/end-wait.ts';
import type { ProofState } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { awaitProof, isSettled } from '../subscriptions/await-proof.ts';
import { readProof } from './read-proof.ts';
import type { RouteDeps } from './route-deps.ts';

/**
 * Waits until the proof is settled, or the caller must be answered: then the end of the wait is put
 * on record, which decides the proof's fate, and the state after that is the answer.
 */
export async function settleProof(
  deps: RouteDeps,
  proofId: ProofId,
  meta: EventMeta,
): Promise<ProofState> {
  const state = await awaitProof(deps, proofId, waitEnd(deps));
  if (isSettled(state)) return state;
  await endWait(deps.store, proofId, meta);
  return readProof(deps, proofId);
}

/** Emits when the wait is over, or the service stops. */
function waitEnd({ proofWaitMs, drained }: RouteDeps): Observable<unknown> {
  return race(timer(proofWaitMs), drained);
}
