import { type Observable, race, timer } from 'rxjs';
import { endWait } from '../../commands/end-wait.ts';
import type { ProofState } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { awaitProof, isSettled } from '../../subscriptions/await-proof.ts';
import { readProof } from '../../views/read-proof.ts';
import type { RouteDeps } from '../route-deps.ts';

export type SettleDeps = Pick<RouteDeps, 'store' | 'watch' | 'proofWaitMs' | 'drained'>;

/**
 * Waits until the proof is settled or the wait is over. If the proof is not settled, records the
 * end of the wait, which decides the proof's fate. Returns the resulting state.
 */
export async function settleProof(
  deps: SettleDeps,
  proofId: ProofId,
  meta: EventMeta,
): Promise<ProofState> {
  const state = await awaitProof(deps, proofId, waitEnd(deps));
  if (isSettled(state)) return state;
  await endWait(deps.store, proofId, meta);
  return readProof(deps, proofId);
}

/** Emits when the wait is over, or the service stops. */
function waitEnd({
  proofWaitMs,
  drained,
}: Pick<SettleDeps, 'proofWaitMs' | 'drained'>): Observable<unknown> {
  return race(timer(proofWaitMs), drained);
}
