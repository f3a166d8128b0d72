import { allowanceDecider } from '../domain/allowance/decider.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import { holdsHash } from '../domain/hash/state.ts';
import { type ProofDecision, proofDecider } from '../domain/proof/decider.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { decideOnCount } from '../event-store/handling/decide-on-count.ts';
import type { Handled } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';
import { hashStream } from '../loading/hash-stream.ts';

/** A stream that an append leaves as it is, and its version. */
export interface Unchanged {
  readonly stream: string;
  readonly version: number;
}

/** A stream that was to be unchanged was at another version. Nothing was appended. */
export class StreamMoved extends Error {
  constructor({ stream, version }: Unchanged) {
    super(`${stream} is not at ${version} any more`);
    this.name = 'StreamMoved';
  }
}

/**
 * `handle` for a proof. Appends the decision, all or nothing, to the streams of the proof, its hash,
 * the month's allowance and the bytes of its certificate. If `unchanged` is at another version at
 * the append, rejects with `StreamMoved`.
 */
export async function handleProof(
  store: EventStore,
  proofId: ProofId,
  command: (state: ProofState) => ProofDecision,
  meta: EventMeta,
  unchanged: Unchanged | null = null,
): Promise<Handled<ProofState, ProofEvent>> {
  const stream = streams.proof(proofId);
  return retryOnConflict(async () => {
    const { state, version } = await load(store, stream, proofDecider);
    const decision = command(state);
    if (decision.proof.length === 0 || state.status === 'unknown') return { state, appended: [] };
    const { organisationId } = state.request;
    const entries: StreamAppend[] = [
      { organisationId, stream, expectedVersion: version, events: decision.proof },
    ];
    if (decision.hash.length > 0) entries.push(...(await hashEntries(store, state, decision)));
    if (decision.returnedUnit) {
      const { month, documentId } = decision.returnedUnit;
      const allowance = streams.allowance(organisationId, month);
      const giveBack = (used: number) => allowanceDecider.returnUnit(used, documentId);
      entries.push(
        await decideOnCount(store, allowance, organisationId, allowanceDecider, giveBack),
      );
    }
    if (decision.recorded) {
      const recorded = streams.certificate(decision.recorded.data.sha256);
      const events = [decision.recorded];
      entries.push({ organisationId: null, stream: recorded, expectedVersion: 0, events });
    }
    if (unchanged !== null) {
      const { stream: fence, version: expectedVersion } = unchanged;
      entries.push({ organisationId: null, stream: fence, expectedVersion, events: [] });
    }
    await store.append(entries, meta).catch((error: unknown) => {
      const moved =
        error instanceof VersionConflict &&
        error.conflicts.some((conflict) => conflict.stream === unchanged?.stream);
      throw moved && unchanged !== null ? new StreamMoved(unchanged) : error;
    });
    return { state, appended: decision.proof };
  });
}

/**
 * Returns no entries if the hash does not depend on this proof. The hash of a revision may belong
 * to other proofs.
 */
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
