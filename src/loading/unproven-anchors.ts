import type { ProofId } from '../domain/ulid.ts';

const mostKept = 10_000;

/**
 * Proofs whose anchor the recorded signatures do not prove, so that they are not verified again.
 * Recorded signatures never change. Kept in memory: a later release may judge otherwise.
 */
export class UnprovenAnchors {
  readonly #proofs = new Set<ProofId>();

  has(proofId: ProofId): boolean {
    return this.#proofs.has(proofId);
  }

  /** Forgets the oldest proof if there are too many. */
  add(proofId: ProofId): void {
    if (this.#proofs.size >= mostKept) {
      for (const oldest of this.#proofs.values().take(1)) this.#proofs.delete(oldest);
    }
    this.#proofs.add(proofId);
  }
}
