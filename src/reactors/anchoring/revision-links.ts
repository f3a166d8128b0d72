import type { ProofState } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { OpenProofs } from './open-proofs.ts';

/** A revision whose previous one is not open here: what became of that one is in its stream. */
export interface LinkToLookUp {
  readonly revision: ProofId;
  readonly previousProofId: ProofId;
}

/**
 * Which transaction the memo of each open revision names: that of the nearest one before it that was
 * not given up. As long as that is not known the revision is held, and costs nobody who looks for
 * proofs to sign anything.
 */
export class RevisionLinks {
  readonly #proofs: OpenProofs;
  /** Of held revisions: the proof that each waits for or has to look up. */
  readonly #waitsFor = new Map<ProofId, ProofId>();
  /** Held revisions by the open proof that they wait for. */
  readonly #behind = new Map<ProofId, Set<ProofId>>();
  /** Held revisions to be looked up, with the ledger from which on. */
  readonly #lookUps = new Map<ProofId, number>();
  /** Transaction hashes that memos of open revisions name. */
  readonly #previous = new Map<ProofId, string>();

  constructor(proofs: OpenProofs) {
    this.#proofs = proofs;
  }

  /** What the proof's memo names, for one that is not held; null if nothing. */
  previousOf(proofId: ProofId): string | null {
    return this.#previous.get(proofId) ?? null;
  }

  /** The open revision follows this proof; null: nothing, and it can be signed. */
  follow(revision: ProofId, previousProofId: ProofId | null): void {
    this.#unhold(revision);
    if (previousProofId === null) {
      this.link(revision, null);
      return;
    }
    this.#proofs.hold(revision);
    this.#waitsFor.set(revision, previousProofId);
    if (this.#proofs.get(previousProofId) === undefined) {
      this.#lookUps.set(revision, 0);
      return;
    }
    const behind = this.#behind.get(previousProofId);
    if (behind) behind.add(revision);
    else this.#behind.set(previousProofId, new Set([revision]));
  }

  /** The open revision's memo names this transaction, or none: it can be signed, or was. */
  link(revision: ProofId, transactionHash: string | null): void {
    this.#unhold(revision);
    if (transactionHash !== null) this.#previous.set(revision, transactionHash);
    this.#proofs.release(revision);
  }

  /** The proof is no longer open: those behind it can be signed, or follow the one before it. */
  settled(proofId: ProofId, state: ProofState): void {
    this.#unhold(proofId);
    this.#previous.delete(proofId);
    const behind = this.#behind.get(proofId) ?? [];
    this.#behind.delete(proofId);
    for (const revision of behind) this.#learn(revision, state);
  }

  /** Links that are to be looked up at a ledger, at most so many. */
  toLookUp(limit: number, ledgerIndex: number): LinkToLookUp[] {
    const found: LinkToLookUp[] = [];
    for (const [revision, from] of this.#lookUps) {
      if (found.length >= limit) break;
      const previousProofId = this.#waitsFor.get(revision);
      if (previousProofId && from <= ledgerIndex) found.push({ revision, previousProofId });
    }
    return found;
  }

  /**
   * What the stream of the one before says, read at a ledger. One that is open there but not here
   * belongs to another network: it is looked up again with the next ledger.
   */
  lookedUp({ revision, previousProofId }: LinkToLookUp, state: ProofState, ledger: number): void {
    if (this.#waitsFor.get(revision) !== previousProofId) return;
    if (state.status === 'unknown') {
      throw new Error(`${revision} follows ${previousProofId}, which has no events`);
    }
    if (state.status !== 'pending' && state.status !== 'processing') this.#learn(revision, state);
    else if (this.#proofs.get(previousProofId)) this.follow(revision, previousProofId);
    else this.#lookUps.set(revision, ledger + 1);
  }

  /** The ledger whose indexes were counted by is gone. */
  forgetPace(): void {
    for (const revision of this.#lookUps.keys()) this.#lookUps.set(revision, 0);
  }

  #learn(revision: ProofId, previous: ProofState): void {
    if (previous.status === 'completed') this.link(revision, previous.anchor.transactionHash);
    else if (previous.status === 'refused' || previous.status === 'withdrawn') {
      this.follow(revision, previous.request.document?.previousProofId ?? null);
    }
  }

  #unhold(revision: ProofId): void {
    const previousProofId = this.#waitsFor.get(revision);
    if (previousProofId === undefined) return;
    this.#waitsFor.delete(revision);
    this.#lookUps.delete(revision);
    const behind = this.#behind.get(previousProofId);
    behind?.delete(revision);
    if (behind?.size === 0) this.#behind.delete(previousProofId);
  }
}
