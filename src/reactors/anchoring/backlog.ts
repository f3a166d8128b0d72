import type { GapFillPrepared, GapFillSettled } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/event.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { Network } from '../../domain/network.ts';
import type { ProofEvent } from '../../domain/proof/events.ts';
import { proofEvents } from '../../domain/proof/events.ts';
import { evolveProof } from '../../domain/proof/evolve.ts';
import { type ProofState, unknownProof } from '../../domain/proof/state.ts';
import { proofOfStream, streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

export type OpenState = Extract<ProofState, { status: 'pending' | 'processing' }>;

/** A proof that is not settled, with the version of its stream. */
export interface OpenProof<State extends OpenState = OpenState> {
  readonly proofId: ProofId;
  readonly state: State;
  readonly version: number;
}

export type PendingProof = OpenProof<Extract<OpenState, { status: 'pending' }>>;
export type UnderWay = OpenProof<Extract<OpenState, { status: 'processing' }>>;

/** A signed no-op whose fate is open. */
export type OpenGapFill = GapFillPrepared['data'];

/** The types of event that the backlog folds. */
export const backlogTypes: readonly DomainEvent['type'][] = [
  ...(Object.keys(proofEvents) as ProofEvent['type'][]),
  'GapFillPrepared',
  'GapFillSettled',
  'LedgerJoined',
  'LedgerGone',
];

/**
 * What is open on one network, folded from the log: proofs that wait or are under way, and gap
 * fills. Events may come twice, by reading the log and from whoever appended them: a version that
 * was folded already is passed over.
 */
export class Backlog {
  readonly network: Network;
  readonly #proofs = new Map<ProofId, OpenProof>();
  readonly #gapFills = new Map<string, OpenGapFill>();
  /** Highest Sequence of each account that a validated ledger is known to have applied. */
  readonly #applied = new Map<string, number>();

  constructor(network: Network) {
    this.network = network;
  }

  /** Open proofs without a signed transaction, oldest first. */
  *pending(): Generator<PendingProof> {
    for (const { proofId, state, version } of this.#proofs.values()) {
      if (state.status === 'pending') yield { proofId, state, version };
    }
  }

  /**
   * The first `count` of them that are due at a ledger: after n failures a proof is tried again in
   * every 2^n-th ledger only.
   */
  firstPending(count: number, ledgerIndex: number): PendingProof[] {
    const found: PendingProof[] = [];
    for (const proof of this.pending()) {
      if (found.length >= count) break;
      const pace = 2 ** Math.min(proof.state.failures, maxPaceExponent);
      if (ledgerIndex % pace === 0) found.push(proof);
    }
    return found;
  }

  /** Open proofs whose signed transaction may be on the ledger. */
  *processing(): Generator<UnderWay> {
    for (const { proofId, state, version } of this.#proofs.values()) {
      if (state.status === 'processing') yield { proofId, state, version };
    }
  }

  gapFills(): Iterable<OpenGapFill> {
    return this.#gapFills.values();
  }

  proofIds(): ProofId[] {
    return [...this.#proofs.keys()];
  }

  get size(): number {
    return this.#proofs.size;
  }

  /** Brings proofs up to date by reading their streams; settled ones are left out. */
  async adopt(store: EventStore, proofIds: readonly ProofId[]): Promise<void> {
    for (let start = 0; start < proofIds.length; start += adoptChunk) {
      const chunk = proofIds.slice(start, start + adoptChunk);
      const found = await store.readStreams(chunk.map(streams.proof));
      // The log may have told newer events while these were read: folding never goes back.
      for (const events of found.values()) this.observe(events);
    }
  }

  adoptGapFills(gapFills: readonly OpenGapFill[]): void {
    for (const gapFill of gapFills) this.#gapFills.set(gapFill.transactionHash, gapFill);
  }

  /** Highest Sequence that a validated ledger applied, as far as the log told; 0 if it did not. */
  appliedSequence(ledgerId: string, account: string): number {
    return this.#applied.get(`${ledgerId} ${account}`) ?? 0;
  }

  settleGapFill(transactionHash: string, outcome: GapFillSettled['data']['outcome']): void {
    const gapFill = this.#gapFills.get(transactionHash);
    if (gapFill && outcome === 'validated') this.#noteApplied(gapFill);
    this.#gapFills.delete(transactionHash);
  }

  /** Folds events as the log holds them. */
  observe(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.type === 'GapFillPrepared') {
        this.#gapFills.set(event.data.transactionHash, event.data);
      } else if (event.type === 'GapFillSettled') {
        this.settleGapFill(event.data.transactionHash, event.data.outcome);
      } else {
        const proofId = proofOfStream(event.stream);
        if (proofId) this.#fold(proofId, event.version, event as Recorded<ProofEvent>);
      }
    }
  }

  /** Folds events that were just appended to a proof's stream after `version`. */
  appended(proof: OpenProof, events: readonly ProofEvent[]): void {
    const recordedAt = proof.state.request.requestedAt;
    events.forEach((event, index) => {
      this.#fold(proof.proofId, proof.version + 1 + index, { ...event, recordedAt });
    });
  }

  #fold(proofId: ProofId, version: number, event: Recorded<ProofEvent>): void {
    const known = this.#proofs.get(proofId);
    if (known ? version <= known.version : event.type !== 'ProofRequested') return;
    if (event.type === 'ProofRequested' && event.data.network !== this.network) return;
    if (known?.state.status === 'processing' && usesSequence(event)) {
      this.#noteApplied(known.state.prepared);
    }
    const state = evolveProof(known?.state ?? unknownProof, event);
    if (state.status === 'pending' || state.status === 'processing') {
      this.#proofs.set(proofId, { proofId, state, version });
    } else {
      this.#proofs.delete(proofId);
    }
  }

  #noteApplied(signed: { ledgerId: string; account: string; sequence: number }): void {
    const key = `${signed.ledgerId} ${signed.account}`;
    this.#applied.set(key, Math.max(this.#applied.get(key) ?? 0, signed.sequence));
  }
}

/** A transaction on the ledger has used its Sequence, also when it failed there. */
function usesSequence(event: ProofEvent): boolean {
  return (
    event.type === 'Anchored' || (event.type === 'AnchorExpired' && event.data.reason === 'failed')
  );
}

const adoptChunk = 500;
const maxPaceExponent = 6;
