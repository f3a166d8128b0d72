import type { ProofState } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { OpenProofs } from './open-proofs.ts';

/** A revision whose previous proof is not open here: the fate of that proof is in its stream. */
export interface LinkToLookUp {
  readonly revision: ProofId;
  readonly previousProofId: ProofId;
}

/**
 * Finds the transaction that the memo of each open revision names: that of the nearest earlier
 * revision that was not given up. Until it is known, the revision is held in `OpenProofs`. Held
 * revisions cost nothing in the search for proofs to sign.
 */
export class RevisionLinks {
  readonly #proofs: OpenProofs;
  /** For each held revision, the proof that it waits for or that must be looked up. */
  readonly #waitsFor = new Map<ProofId, ProofId>();
  /** Held revisions by the open proof that they wait for. */
  readonly #behind = new Map<ProofId, Set<ProofId>>();
  /** Held revisions to look up, with the first ledger at which to do so. */
  readonly #lookUps = new Map<ProofId, number>();
  /** Transaction hashes that the memos of open revisions name. */
  readonly #previous = new Map<ProofId, string>();

  constructor(proofs: OpenProofs) {
    this.#proofs = proofs;
  }

  /** The transaction that the proof's memo names, if the proof is not held; null if none. */
  previousOf(proofId: ProofId): string | null {
    return this.#previous.get(proofId) ?? null;
  }

  /**
   * Notes that the open revision follows this proof; null: no proof, so the revision can be signed.
   */
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

  /** Notes that the revision's memo names this transaction, or none: it can be signed, or was. */
  link(revision: ProofId, transactionHash: string | null): void {
    this.#unhold(revision);
    if (transactionHash !== null) this.#previous.set(revision, transactionHash);
    this.#proofs.release(revision);
  }

  /**
   * Notes that the proof is settled: revisions behind it can be signed, or follow its predecessor.
   */
  settled(proofId: ProofId, state: ProofState): void {
    this.#unhold(proofId);
    this.#previous.delete(proofId);
    const behind = this.#behind.get(proofId) ?? [];
    this.#behind.delete(proofId);
    for (const revision of behind) this.#learn(revision, state);
  }

  /** Links to look up at a ledger, at most `limit`. */
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
   * Applies the state of a previous proof, read from its stream at a ledger. A proof that is open
   * there but not here belongs to another network: it is looked up again at the next ledger.
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

  /** Resets all delays: their ledger indexes are of a ledger that is gone. */
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
