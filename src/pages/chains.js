import { followChain } from './follow-chain.js';

/** @import { Link } from './follow-chain.js' */
/** @import { Answer } from './verification.ts' */

/**
 * The earlier revisions of a transaction's file that have been looked up.
 *
 * @typedef {object} Chain
 * @property {string} first The transaction of the previous revision.
 * @property {readonly Link[]} links
 * @property {boolean} isFollowing
 */

/** The chains of the transactions of interest. */
export class Chains {
  /** @type {Map<string, {chain: Chain, following: AbortController}>} */
  #chains = new Map();
  #ask;
  #onChange;

  /**
   * @param {(transactionHash: string, signal: AbortSignal) => Promise<Answer>} ask
   * @param {() => void} onChange
   */
  constructor(ask, onChange) {
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /** @param {string} transactionHash */
  chainOf(transactionHash) {
    return this.#chains.get(transactionHash)?.chain ?? null;
  }

  /**
   * Removes all chains except those of the given transactions.
   * @param {readonly string[]} hashes
   */
  keep(hashes) {
    for (const [hash, { following }] of this.#chains) {
      if (hashes.includes(hash)) continue;
      following.abort();
      this.#chains.delete(hash);
    }
  }

  /**
   * Begins a chain, without requests.
   * @param {string} transactionHash
   * @param {string} first
   */
  begin(transactionHash, first) {
    if (this.#chains.has(transactionHash)) return;
    const chain = { first, links: [], isFollowing: false };
    this.#chains.set(transactionHash, { chain, following: new AbortController() });
  }

  /**
   * Looks up further revisions.
   * @param {string} transactionHash
   */
  async follow(transactionHash) {
    const entry = this.#chains.get(transactionHash);
    if (entry === undefined || entry.chain.isFollowing) return;
    const { signal } = entry.following;
    const show = (/** @type {readonly Link[]} */ links, /** @type {boolean} */ isFollowing) => {
      if (signal.aborted) return;
      entry.chain = { ...entry.chain, links, isFollowing };
      this.#onChange();
    };
    show(entry.chain.links, true);
    const onLink = (/** @type {readonly Link[]} */ links) => show(links, true);
    const options = { ask: this.#ask, signal, onLink };
    const links = await followChain(entry.chain.first, entry.chain.links, options).catch(
      () => null,
    );
    if (links !== null) show(links, false);
  }
}
