import type { ProofState } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';

export type OpenState = Extract<ProofState, { status: 'pending' | 'processing' }>;

/** A proof that is not settled, with the version of its stream. */
export interface OpenProof<State extends OpenState = OpenState> {
  readonly proofId: ProofId;
  readonly state: State;
  readonly version: number;
  /** Id of the event that brought it here; what is appended next is the answer to it. */
  readonly causeId: string;
}

export type PendingProof = OpenProof<Extract<OpenState, { status: 'pending' }>>;
export type UnderWay = OpenProof<Extract<OpenState, { status: 'processing' }>>;

/**
 * Open proofs, those that wait apart from those under way: to look at some of the former costs
 * nothing for the rest of them, and to look at the latter nothing for all that wait.
 */
export class OpenProofs {
  /** Never signed for yet. */
  readonly #fresh = new Map<ProofId, PendingProof>();
  /** Those that came back from being under way. */
  readonly #again = new Map<ProofId, PendingProof>();
  readonly #underWay = new Map<ProofId, UnderWay>();

  get size(): number {
    return this.#fresh.size + this.#again.size + this.#underWay.size;
  }

  get(proofId: ProofId): OpenProof | undefined {
    return this.#underWay.get(proofId) ?? this.#fresh.get(proofId) ?? this.#again.get(proofId);
  }

  /** Adds it, or puts what is known of it now in its place. */
  set(proof: OpenProof): void {
    const { proofId } = proof;
    if (isUnderWay(proof)) {
      this.#fresh.delete(proofId);
      this.#again.delete(proofId);
      this.#underWay.set(proofId, proof);
    } else if (isPending(proof)) {
      const cameBack = this.#underWay.delete(proofId) || this.#again.has(proofId);
      (cameBack ? this.#again : this.#fresh).set(proofId, proof);
    }
  }

  delete(proofId: ProofId): void {
    this.#fresh.delete(proofId);
    this.#again.delete(proofId);
    this.#underWay.delete(proofId);
  }

  /** Those that wait: first what came back, then the others, each oldest first. */
  *pending(): Generator<PendingProof> {
    yield* this.#again.values();
    yield* this.#fresh.values();
  }

  underWay(): Iterable<UnderWay> {
    return this.#underWay.values();
  }

  ids(): ProofId[] {
    return [...this.#underWay.keys(), ...this.#again.keys(), ...this.#fresh.keys()];
  }
}

function isUnderWay(proof: OpenProof): proof is UnderWay {
  return proof.state.status === 'processing';
}

function isPending(proof: OpenProof): proof is PendingProof {
  return proof.state.status === 'pending';
}
