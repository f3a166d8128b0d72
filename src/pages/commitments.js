import { computeCommitments } from './reader.js';

/** Commitments to files under nonces, computed in batches at first use. */
export class Commitments {
  /** @type {Map<string, string | null>} By nonce and file hash; null during computation. */
  #known = new Map();
  /** @type {[nonce: string, fileHash: string][]} */
  #wanted = [];
  /** @type {[nonce: string, fileHash: string][]} */
  #missing = [];
  #onComputed;

  /** @param {() => void} onComputed */
  constructor(onComputed) {
    this.#onComputed = onComputed;
  }

  /**
   * Returns null until the commitment is computed.
   * @param {string} nonce
   * @param {string} fileHash
   */
  commitmentOf(nonce, fileHash) {
    const key = `${nonce} ${fileHash}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, null);
    if (this.#wanted.push([nonce, fileHash]) === 1) queueMicrotask(() => this.#compute());
    return null;
  }

  /** True if the reading thread was missing. */
  get isMissing() {
    return this.#missing.length > 0;
  }

  /** Computes again what could not be computed without the reading thread. */
  retry() {
    for (const pair of this.#missing.splice(0)) this.#known.delete(pair.join(' '));
  }

  async #compute() {
    const wanted = this.#wanted;
    this.#wanted = [];
    const computed = await computeCommitments(wanted).catch(() => null);
    if (computed === null) this.#missing.push(...wanted);
    for (const [index, pair] of wanted.entries()) {
      this.#known.set(pair.join(' '), computed?.[index] ?? null);
    }
    this.#onComputed();
  }
}
