import { Observable } from 'rxjs';
import { endWait } from '../../commands/end-wait.ts';
import type { Network } from '../../domain/network.ts';
import type { ProofState } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { awaitProof, isSettled, type OpenedProof } from '../../subscriptions/await-proof.ts';
import type { StreamWatch } from '../../subscriptions/stream-watch.ts';
import { readProof } from '../../views/read-proof.ts';
import type { LedgerAbsence } from './ledger-absence.ts';

/** Dependencies of waiting for the outcome of a proof. */
interface SettleDeps {
  readonly store: EventStore;
  readonly watch: StreamWatch;
  /** Maximum wait for the validated transaction. */
  readonly proofWaitMs: number;
  /** Emits once, also to late subscribers, when waits must end because the service stops. */
  readonly drained: Observable<void>;
  /** Networks that are known to be away. */
  readonly ledgerAbsence: LedgerAbsence;
}

/**
 * Waits until a proof is settled or the wait is over, and returns the resulting state, as
 * `settleProof` does.
 */
export type ProofSettling = (proof: AwaitedProof, meta: EventMeta) => Promise<ProofState>;

export function createProofSettling(deps: SettleDeps): ProofSettling {
  return (proof, meta) => settleProof(deps, proof, meta);
}

/** A proof to wait for; `created` is true for the call that requested it. */
interface AwaitedProof {
  readonly proofId: ProofId;
  readonly network: Network;
  readonly created: boolean;
  /** The proof as it was just appended, if this call did that. */
  readonly opened?: OpenedProof | undefined;
}

/**
 * Waits until the proof is settled or the wait is over. If the proof is not settled, records the
 * end of the wait, which decides the proof's fate. Returns the resulting state.
 */
async function settleProof(
  deps: SettleDeps,
  proof: AwaitedProof,
  meta: EventMeta,
): Promise<ProofState> {
  const { proofId } = proof;
  const state = await awaitSettled(deps, proof);
  if (isSettled(state)) return state;
  await endWait(deps.store, proofId, meta);
  return readProof(deps, proofId);
}

/** The wait ends early if the ledger is away and the outcome of the wait is certain. */
async function awaitSettled(
  deps: SettleDeps,
  { proofId, network, created, opened }: AwaitedProof,
): Promise<ProofState> {
  const { ledgerAbsence } = deps;
  let isOver = false;
  const end = waitEnd(deps, () => {
    isOver = true;
  });
  const wasAway = ledgerAbsence.isAway(network);
  const either = firstOf(end, ledgerAbsence.whenAway(network));
  const state = await awaitProof(deps, proofId, either, opened);
  if (isOver || isSettled(state) || endsWithLedger(state, created, wasAway)) return state;
  return awaitProof(deps, proofId, end);
}

/**
 * True if nothing is gained by waiting for a ledger that is away. The caller's own proof is rolled
 * back if no transaction of it is signed; a queued one stays queued. A signed transaction may be on
 * the ledger, so a call that waited before the ledger was lost goes on to wait.
 */
function endsWithLedger(state: ProofState, created: boolean, wasAway: boolean): boolean {
  if (state.status === 'pending') return created || state.queued;
  return state.status === 'processing' && state.queued && wasAway;
}

/**
 * Emits when the wait is over, or the service stops, and calls `onEnd` then. The wait begins with
 * this call.
 */
function waitEnd(
  { proofWaitMs, drained }: Pick<SettleDeps, 'proofWaitMs' | 'drained'>,
  onEnd: () => void,
): Observable<void> {
  const until = performance.now() + proofWaitMs;
  return new Observable((subscriber) => {
    const over = () => {
      onEnd();
      subscriber.next();
    };
    const timer = setTimeout(over, Math.max(0, until - performance.now()));
    const drain = drained.subscribe(over);
    return () => {
      clearTimeout(timer);
      drain.unsubscribe();
    };
  });
}

/** Emits when one of the two does. Thousands of calls wait at once, so this costs less than `merge`. */
function firstOf(one: Observable<unknown>, other: Observable<unknown>): Observable<void> {
  return new Observable((subscriber) => {
    const emit = () => subscriber.next();
    const subscription = one.subscribe(emit);
    subscription.add(other.subscribe(emit));
    return subscription;
  });
}
