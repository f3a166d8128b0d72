import { ledgersToLive } from '../../ledger/ledgers-to-live.ts';

/**
 * Number of ledgers after which an account that cannot sign is doubted anew: a lack that each server has
 * stated is believed until then.
 */
const lackBelievedFor = 32;

/**
 * Number of times that the stated state of one account seemed wrong. Each time, the next request starts at
 * another server, so no server can stop an account by a false statement while others are honest.
 *
 * A stated Sequence is doubted if no transaction that was signed with it, or a later one, was applied while
 * the first of them lived. One that was applied proves the Sequence: later expiries have other reasons.
 */
export class AccountDoubts {
  #count = 0;
  /** Lowest Sequence stated since the last judgement; null if there is none. */
  #stated: number | null = null;
  /** Ledger of the first signature since then; null if there is none. */
  #usedAt: number | null = null;
  /** The last stated Sequence that was doubted; null once another one was proven. */
  #refuted: number | null = null;
  /** Number of lacks since a Sequence was proven. */
  #lacks = 0;

  get count(): number {
    return this.#count;
  }

  /** Notes the Sequence that a server has stated. */
  stated(sequence: number): void {
    this.#stated = Math.min(this.#stated ?? sequence, sequence);
  }

  /** Notes that transactions were signed with the stated Sequence, or later ones, in this ledger. */
  used(tipIndex: number): void {
    this.#usedAt ??= tipIndex;
  }

  /** Judges the Sequence stated before. `applied` is the highest one that a ledger is known to contain. */
  judge({ tipIndex, applied }: { readonly tipIndex: number; readonly applied: number }): void {
    if (this.#stated === null || this.#usedAt === null) return;
    const isProven = applied >= this.#stated;
    if (!isProven && tipIndex < this.#usedAt + ledgersToLive) return;
    if (isProven) this.#lacks = 0;
    else this.#count += 1;
    this.#refuted = isProven ? null : this.#stated;
    this.#stated = null;
    this.#usedAt = null;
  }

  /**
   * Notes that a server has stated a Sequence far below this outstanding one. No doubt of that server if
   * the outstanding one comes from a statement that was doubted before.
   */
  contradicted(outstanding: number): void {
    if (this.#refuted === null || outstanding < this.#refuted) this.#count += 1;
  }

  /** Notes that a server, one of so many, has stated an account that cannot sign. */
  lacked(servers: number): void {
    if (this.#lacks % lackBelievedFor < servers) this.#count += 1;
    this.#lacks += 1;
  }
}
