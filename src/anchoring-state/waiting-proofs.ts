import type { OrganisationId, ProofId } from '../domain/ulid.ts';

/** The parts of a proof that decide its place. */
interface OwnedProof {
  readonly proofId: ProofId;
  readonly state: { readonly request: { readonly organisationId: OrganisationId } };
}

/** Waiting proofs of one organisation, each oldest first. */
interface Line {
  readonly retries: Set<ProofId>;
  readonly fresh: Set<ProofId>;
}

/**
 * Pending proofs that wait to be signed. Organisations take turns, as in `FairLine`; within an
 * organisation, retries come first. So a thousand proofs of one organisation, or their retries,
 * delay those of another by one turn each.
 */
export class WaitingProofs<Proof extends OwnedProof> {
  /** In the order of arrival. */
  readonly #proofs = new Map<ProofId, Proof>();
  /** Lines by organisation, next turn first. */
  readonly #lines = new Map<OrganisationId, Line>();

  get size(): number {
    return this.#proofs.size;
  }

  get(proofId: ProofId): Proof | undefined {
    return this.#proofs.get(proofId);
  }

  ids(): Iterable<ProofId> {
    return this.#proofs.keys();
  }

  /** Adds a proof. A proof that waits already keeps its place, and only its state is replaced. */
  set(proof: Proof, { isRetry }: { readonly isRetry: boolean }): void {
    const { proofId } = proof;
    const isKnown = this.#proofs.has(proofId);
    this.#proofs.set(proofId, proof);
    if (isKnown) return;
    const line = this.#lines.get(organisationOf(proof)) ?? { retries: new Set(), fresh: new Set() };
    this.#lines.set(organisationOf(proof), line);
    (isRetry ? line.retries : line.fresh).add(proofId);
  }

  /** Removes a proof that was signed: the turn of its organisation is over. */
  signed(proofId: ProofId): void {
    this.#remove(proofId, { endsTurn: true });
  }

  /** Removes a proof that is not to be signed. Its organisation keeps its turn. */
  delete(proofId: ProofId): void {
    this.#remove(proofId, { endsTurn: false });
  }

  /**
   * Proofs in the order in which to sign them. One that is not due costs its organisation no turn. Change
   * nothing while iterating. The cost depends on the number of proofs taken and of those that are not due,
   * not on the number that wait.
   */
  *inTurn(isDue: (proof: Proof) => boolean = () => true): Generator<Proof> {
    let round: Iterable<Iterator<Proof, undefined>> = this.#ownProofs(isDue);
    for (;;) {
      const further: Iterator<Proof, undefined>[] = [];
      for (const own of round) {
        const { value: proof } = own.next();
        if (proof === undefined) continue;
        yield proof;
        further.push(own);
      }
      if (further.length === 0) return;
      round = further;
    }
  }

  /** The proofs of each organisation, next turn first. */
  *#ownProofs(isDue: (proof: Proof) => boolean): Generator<Generator<Proof, undefined>> {
    for (const line of this.#lines.values()) yield this.#proofsIn(line, isDue);
  }

  *#proofsIn(
    { retries, fresh }: Line,
    isDue: (proof: Proof) => boolean,
  ): Generator<Proof, undefined> {
    for (const proofIds of [retries, fresh]) {
      for (const proofId of proofIds) {
        const proof = this.#proofs.get(proofId);
        if (proof !== undefined && isDue(proof)) yield proof;
      }
    }
  }

  #remove(proofId: ProofId, { endsTurn }: { readonly endsTurn: boolean }): void {
    const proof = this.#proofs.get(proofId);
    if (proof === undefined) return;
    this.#proofs.delete(proofId);
    const organisationId = organisationOf(proof);
    const line = this.#lines.get(organisationId);
    if (line === undefined) return;
    line.retries.delete(proofId);
    line.fresh.delete(proofId);
    const isEmpty = line.retries.size + line.fresh.size === 0;
    if (isEmpty || endsTurn) this.#lines.delete(organisationId);
    if (!isEmpty && endsTurn) this.#lines.set(organisationId, line);
  }
}

function organisationOf({ state }: OwnedProof): OrganisationId {
  return state.request.organisationId;
}
