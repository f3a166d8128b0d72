import { hashDecider } from '../domain/hash/decider.ts';
import { holdsHash } from '../domain/hash/state.ts';
import type { ProofDecision } from '../domain/proof/decide.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from './hash-stream.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { returnedUnitEntry } from './unit-entry.ts';

/**
 * Loads a proof, decides, and appends what was decided to all streams together; starts over while
 * others change them. Resolves with the state that was decided upon, and whether anything was
 * appended.
 */
export async function decideOnProof(
  store: EventStore,
  proofId: ProofId,
  decide: (state: ProofState) => ProofDecision,
  meta: EventMeta,
): Promise<{ readonly state: ProofState; readonly changed: boolean }> {
  const stream = streams.proof(proofId);
  return retryOnConflict(async () => {
    const { state, version } = await load(store, stream, proofDecider);
    const decision = decide(state);
    if (decision.proof.length === 0 || state.status === 'unknown') return { state, changed: false };
    const { organisationId } = state.request;
    const entries: StreamAppend[] = [
      { organisationId, stream, expectedVersion: version, events: decision.proof },
    ];
    if (decision.hash.length > 0) entries.push(...(await hashEntries(store, state, decision)));
    if (decision.returnedUnit) {
      const { month, documentId } = decision.returnedUnit;
      entries.push(await returnedUnitEntry(store, { organisationId, month }, documentId));
    }
    await store.append(entries, meta);
    return { state, changed: true };
  });
}

/** None where the hash does not stand by this proof: that of a revision may be others'. */
async function hashEntries(
  store: EventStore,
  state: Exclude<ProofState, { status: 'unknown' }>,
  decision: ProofDecision,
): Promise<readonly StreamAppend[]> {
  const { organisationId, proofId } = state.request;
  const stream = await hashStream(store, state.request);
  const { state: hash, version } = await load(store, stream, hashDecider);
  if (!holdsHash(hash, proofId)) return [];
  return [{ organisationId, stream, expectedVersion: version, events: decision.hash }];
}
