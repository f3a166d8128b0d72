import { evolveHash, freeHash } from '../domain/hash/state.ts';
import type { ProofDecision } from '../domain/proof/decide.ts';
import { evolveProof } from '../domain/proof/evolve.ts';
import { type ProofState, unknownProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Loads a proof, decides, and appends what was decided to its stream and its hash's together;
 * starts over while others change them. Resolves with the state that was decided upon, and whether
 * anything was appended.
 */
export async function decideOnProof(
  store: EventStore,
  proofId: ProofId,
  decide: (state: ProofState) => ProofDecision,
  meta: EventMeta,
): Promise<{ readonly state: ProofState; readonly changed: boolean }> {
  const stream = streams.proof(proofId);
  return retryOnConflict(async () => {
    const { state, version } = await load(store, stream, unknownProof, evolveProof);
    const decision = decide(state);
    if (decision.proof.length === 0 || state.status === 'unknown') return { state, changed: false };
    const { organisationId } = state.request;
    const entries: StreamAppend[] = [
      { organisationId, stream, expectedVersion: version, events: decision.proof },
    ];
    if (decision.hash.length > 0) entries.push(await hashEntry(store, state, decision));
    await store.append(entries, meta);
    return { state, changed: true };
  });
}

async function hashEntry(
  store: EventStore,
  state: Exclude<ProofState, { status: 'unknown' }>,
  decision: ProofDecision,
): Promise<StreamAppend> {
  const { organisationId, workspaceId, fileHash } = state.request;
  const indexed = await store.index(organisationId, fileHash);
  if (indexed === null) throw new Error(`organisation ${organisationId} has no keys`);
  const stream = streams.hash(workspaceId, indexed);
  const { version } = await load(store, stream, freeHash, evolveHash);
  return { organisationId, stream, expectedVersion: version, events: decision.hash };
}
