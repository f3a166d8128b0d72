import type { SignedTransaction } from '../domain/ledger/transaction.ts';
import type { ProofState } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import { WaitingProofs } from './waiting-proofs.ts';

type OpenState = Extract<ProofState, { status: 'pending' | 'processing' }>;

/** A proof that is not settled, with the version of its stream. */
export interface OpenProof<State extends OpenState = OpenState> {
  readonly proofId: ProofId;
  readonly state: State;
  readonly version: number;
  /** Id of the newest event of the proof: the cause of the events that are appended next. */
  readonly causeId: string;
}

export type PendingProof = OpenProof<Extract<OpenState, { status: 'pending' }>>;
export type UnderWay = OpenProof<Extract<OpenState, { status: 'processing' }>>;

/**
 * Open proofs, in separate collections: pending, processing, and held behind another proof.
 * Iterating over one collection costs nothing for the proofs in the others.
 */
export class OpenProofs {
  readonly #waiting = new WaitingProofs<PendingProof>();
  readonly #underWay = new Map<ProofId, UnderWay>();
  readonly #held = new Map<ProofId, PendingProof>();
  readonly #signed = new SignedByAccount<ProofId>();

  get size(): number {
    return this.#waiting.size + this.#underWay.size + this.#held.size;
  }

  /** Returns true if a proof is pending, also one that is held. */
  get hasPending(): boolean {
    return this.#waiting.size + this.#held.size > 0;
  }

  get(proofId: ProofId): OpenProof | undefined {
    return this.#underWay.get(proofId) ?? this.#waiting.get(proofId) ?? this.#held.get(proofId);
  }

  /** Adds a proof, or replaces its known state. */
  set(proof: OpenProof): void {
    const { proofId } = proof;
    if (isUnderWay(proof)) {
      this.#waiting.signed(proofId);
      this.delete(proofId);
      this.#underWay.set(proofId, proof);
      this.#signed.set(proofId, proof.state.prepared);
    } else if (isPending(proof)) {
      if (this.#held.has(proofId)) {
        this.#held.set(proofId, proof);
        return;
      }
      this.#waiting.set(proof, { isRetry: this.#endUnderWay(proofId) });
    }
  }

  delete(proofId: ProofId): void {
    this.#waiting.delete(proofId);
    this.#endUnderWay(proofId);
    this.#held.delete(proofId);
  }

  /** Returns true if the proof was under way. */
  #endUnderWay(proofId: ProofId): boolean {
    const proof = this.#underWay.get(proofId);
    if (proof === undefined) return false;
    this.#signed.delete(proofId, proof.state.prepared);
    return this.#underWay.delete(proofId);
  }

  /** Marks a pending proof as not to be signed yet. */
  hold(proofId: ProofId): void {
    const proof = this.get(proofId);
    if (proof === undefined || !isPending(proof)) return;
    this.delete(proofId);
    this.#held.set(proofId, proof);
  }

  /** Adds a held proof to the end of its organisation's line; does nothing if it was not held. */
  release(proofId: ProofId): void {
    const proof = this.#held.get(proofId);
    if (proof === undefined) return;
    this.#held.delete(proofId);
    this.#waiting.set(proof, { isRetry: false });
  }

  held(): Iterable<PendingProof> {
    return this.#held.values();
  }

  /** Proofs that wait to be signed, in the order of `WaitingProofs`. */
  pending(isDue?: (proof: PendingProof) => boolean): Iterable<PendingProof> {
    return this.#waiting.inTurn(isDue);
  }

  underWay(): Iterable<UnderWay> {
    return this.#underWay.values();
  }

  /** Signed transactions of one account on one ledger. */
  signedBy(ledgerId: string, account: string): Iterable<SignedTransaction> {
    return this.#signed.of(ledgerId, account);
  }

  ids(): ProofId[] {
    return [...this.#underWay.keys(), ...this.#waiting.ids(), ...this.#held.keys()];
  }
}

function isUnderWay(proof: OpenProof): proof is UnderWay {
  return proof.state.status === 'processing';
}

function isPending(proof: OpenProof): proof is PendingProof {
  return proof.state.status === 'pending';
}

/** The account that signed a transaction, and the ledger that it is for. */
type Signing = Pick<SignedTransaction, 'ledgerId' | 'account'>;

/**
 * Signed transactions with an unknown fate, by their ledger and account. Each item has one at most:
 * a later transaction replaces an earlier one.
 */
class SignedByAccount<Item> {
  readonly #byAccount = new Map<string, Map<Item, SignedTransaction>>();

  set(item: Item, signed: SignedTransaction): void {
    const key = keyOf(signed);
    const own = this.#byAccount.get(key) ?? new Map<Item, SignedTransaction>();
    this.#byAccount.set(key, own.set(item, signed));
  }

  delete(item: Item, signed: Signing): void {
    const key = keyOf(signed);
    const own = this.#byAccount.get(key);
    own?.delete(item);
    if (own?.size === 0) this.#byAccount.delete(key);
  }

  /** Transactions of an account on one ledger. */
  of(ledgerId: string, account: string): Iterable<SignedTransaction> {
    return this.#byAccount.get(keyOf({ ledgerId, account }))?.values() ?? [];
  }
}

function keyOf({ ledgerId, account }: Signing): string {
  return `${ledgerId} ${account}`;
}
