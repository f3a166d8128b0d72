import type { OpenProof } from '../../anchoring-state/open-proofs.ts';
import { settleAnchor } from '../../commands/settle-anchor.ts';
import type { SignedTransaction, TransactionOutcome } from '../../domain/ledger/transaction.ts';
import { proofDecider } from '../../domain/proof/decider.ts';
import type { ProofEvent } from '../../domain/proof/events.ts';
import { type LedgerMemo, proofMemo } from '../../domain/proof/memo.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';
import type { Anchorable, Purpose } from './anchorable.ts';

/** The fold that contains the open proof. */
interface ProofFold {
  /** Folds events that were just appended to the proof's stream, with their ids. */
  appended(proof: OpenProof, events: readonly ProofEvent[], eventIds: readonly string[]): void;
  /** Reads the streams of these proofs and folds them. */
  adopt(store: EventStore, proofIds: readonly ProofId[]): Promise<void>;
  /** Delays the next attempt of a proof that failed at this ledger. */
  postpone(proofId: ProofId, ledgerIndex: number): void;
}

/** An open proof. A transaction with the proof's commitment in its memo anchors it. */
export class AnchorableProof implements Anchorable {
  readonly #fold: ProofFold;
  readonly #proof: OpenProof;
  /** The transaction that the proof's memo names; null if it names none. */
  readonly previous: string | null;

  constructor(fold: ProofFold, proof: OpenProof, previous: string | null) {
    this.#fold = fold;
    this.#proof = proof;
    this.previous = previous;
  }

  get proofId(): ProofId {
    return this.#proof.proofId;
  }

  get version(): number {
    return this.#proof.version;
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
    return this.#entry(proofDecider.prepareAnchor(state, prepared).proof);
  }

  settled(outcome: TransactionOutcome): StreamAppend | null {
    const decision = proofDecider.settleAnchor(this.#proof.state, outcome);
    // A rolled-back proof releases its hash too, which needs another entry.
    if (decision.hash.length > 0 || decision.proof.length === 0) return null;
    return this.#entry(decision.proof);
  }

  appended({ events }: StreamAppend, eventIds: readonly string[]): void {
    // The entry holds proof events, as `#entry` made them.
    this.#fold.appended(this.#proof, events as readonly ProofEvent[], eventIds);
  }

  async decide(store: EventStore, outcome: TransactionOutcome): Promise<void> {
    const { proofId, causeId } = this.#proof;
    const meta = { actor: 'anchoring', causedBy: causeId } as const;
    await settleAnchor(store, proofId, outcome, meta);
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
