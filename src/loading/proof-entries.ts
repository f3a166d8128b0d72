import { allowanceDecider } from '../domain/allowance/decider.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import { holdsHash } from '../domain/hash/state.ts';
import { type ProofDecision, proofDecider } from '../domain/proof/decider.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { load, loadNewest } from '../event-store/handling/load.ts';
import { hashStream } from './hash-stream.ts';

/** A decision on a proof: the state before it, its entries, and the events of the proof itself. */
interface DecidedProof {
  readonly state: ProofState;
  readonly entries: readonly StreamAppend[];
  readonly events: readonly ProofEvent[];
}

/**
 * Decides on a proof. The entries are for the streams of the proof, its hash, the month's allowance
 * and the bytes of its certificate, as far as the decision changes them.
 */
export async function proofEntries(
  store: Pick<EventStore, 'readStream' | 'readLast' | 'index'>,
  proofId: ProofId,
  command: (state: ProofState) => ProofDecision,
): Promise<DecidedProof> {
  const stream = streams.proof(proofId);
  const { state, version } = await load(store, stream, proofDecider);
  const decision = command(state);
  if (decision.proof.length === 0 || state.status === 'unknown') {
    return { state, entries: [], events: [] };
  }
  const { organisationId } = state.request;
  const entries: StreamAppend[] = [
    { organisationId, stream, expectedVersion: version, events: decision.proof },
  ];
  if (decision.hash.length > 0) entries.push(...(await hashEntries(store, state, decision)));
  if (decision.returnedUnit) {
    const { month, documentId } = decision.returnedUnit;
    const allowance = streams.allowance(organisationId, month);
    const used = await loadNewest(store, allowance, allowanceDecider);
    const events = allowanceDecider.returnUnit(used.state, documentId);
    entries.push({ organisationId, stream: allowance, expectedVersion: used.version, events });
  }
  if (decision.recorded) {
    const recorded = streams.certificate(decision.recorded.data.sha256);
    const events = [decision.recorded];
    entries.push({ organisationId: null, stream: recorded, expectedVersion: 0, events });
  }
  return { state, entries, events: decision.proof };
}

/**
 * Returns no entries if the hash does not depend on this proof. The hash of a revision may belong
 * to other proofs.
 */
async function hashEntries(
  store: Pick<EventStore, 'readStream' | 'index'>,
  state: Exclude<ProofState, { status: 'unknown' }>,
  decision: ProofDecision,
): Promise<readonly StreamAppend[]> {
  const { organisationId, proofId } = state.request;
  const stream = await hashStream(store, state.request);
  const { state: hash, version } = await load(store, stream, hashDecider);
  if (!holdsHash(hash, proofId)) return [];
  return [{ organisationId, stream, expectedVersion: version, events: decision.hash }];
}
