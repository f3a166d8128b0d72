import { decideOnProof } from '../../commands/decide-on-proof.ts';
import type { Outcome, SignedTransaction } from '../../domain/ledger/transaction.ts';
import { prepareAnchor, settleAnchor } from '../../domain/proof/decide.ts';
import type { ProofEvent } from '../../domain/proof/events.ts';
import { type LedgerMemo, proofMemo } from '../../domain/proof/memo.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';
import type { Anchorable, Purpose } from './anchorable.ts';
import type { OpenProof } from './open-proofs.ts';

/** The fold of open proofs that a proof was taken from. */
interface ProofFold {
  /** Folds events that were just appended to the proof's stream, with their ids. */
  appended(proof: OpenProof, events: readonly ProofEvent[], eventIds: readonly string[]): void;
  /** Reads the streams of these proofs and folds them. */
  adopt(store: EventStore, proofIds: readonly ProofId[]): Promise<void>;
  /** Delays the next attempt of a proof that failed at this ledger. */
  postpone(proofId: ProofId, ledgerIndex: number): void;
}

/** An open proof, anchored by the transaction whose memo holds its commitment. */
export class AnchorableProof implements Anchorable {
  readonly #fold: ProofFold;
  readonly #proof: OpenProof;
  /** The transaction that its memo names; null if it names none. */
  readonly previous: string | null;

  constructor(fold: ProofFold, proof: OpenProof, previous: string | null) {
    this.#fold = fold;
    this.#proof = proof;
    this.previous = previous;
  }

  get proofId(): ProofId {
    return this.#proof.proofId;
  }

  get purpose(): Purpose {
    return { proofId: this.proofId };
  }

  memo(): LedgerMemo {
    const { fileHash, commitment, hashScheme } = this.#proof.state.request;
    return proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous: this.previous });
  }

  prepared(signed: SignedTransaction): StreamAppend {
    const { state } = this.#proof;
    const { hashScheme } = state.request;
    const prepared = { ...signed, hashScheme, previousTransactionHash: this.previous };
    return this.#entry(prepareAnchor(state, prepared).proof);
  }

  settled(outcome: Outcome): StreamAppend | null {
    const decision = settleAnchor(this.#proof.state, outcome);
    // One that is rolled back releases its hash as well.
    if (decision.hash.length > 0 || decision.proof.length === 0) return null;
    return this.#entry(decision.proof);
  }

  appended({ events }: StreamAppend, eventIds: readonly string[]): void {
    // What it made is events of a proof.
    this.#fold.appended(this.#proof, events as readonly ProofEvent[], eventIds);
  }

  async decide(store: EventStore, outcome: Outcome): Promise<void> {
    const { proofId, causeId } = this.#proof;
    const meta = { actor: 'anchoring', causedBy: causeId } as const;
    await decideOnProof(store, proofId, (state) => settleAnchor(state, outcome), meta);
    await this.reread(store);
  }

  reread(store: EventStore): Promise<void> {
    return this.#fold.adopt(store, [this.#proof.proofId]);
  }

  postpone(ledgerIndex: number): void {
    this.#fold.postpone(this.#proof.proofId, ledgerIndex);
  }

  #entry(events: readonly ProofEvent[]): StreamAppend {
    const { proofId, state, version, causeId } = this.#proof;
    const { organisationId } = state.request;
    const stream = streams.proof(proofId);
    return { organisationId, stream, expectedVersion: version, causedBy: causeId, events };
  }
}
