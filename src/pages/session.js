import { Chains } from './chains.js';
import { Commitments } from './commitments.js';
import { previousOf } from './follow-chain.js';
import { judgeItems } from './judge-items.js';
import { LedgerAnswers } from './ledger-answers.js';
import { ReadingQueue } from './reading-queue.js';
import { summarise } from './summarise.js';

/** @import { Card } from './judge-items.js' */
/** @import { Item } from './reading-queue.js' */
/** @import { Summary } from './summarise.js' */

/** Maximum number of files. Each file may cause several requests to the service. */
export const maxItems = 50;

/**
 * All input and its verdicts. Calls `onChange` after each change of input or verdicts, and
 * `onProgress` while a file is read.
 */
export class Session {
  /** @type {readonly Item[]} */
  items = [];
  /** @type {string | null} */
  typedHash = null;
  /** @type {string | null} */
  typedNonce = null;
  /** @type {readonly Card[]} */
  cards = [];
  /** @type {Summary | null} */
  summary = null;
  /** True if the user must type the nonce of a proof. */
  needsNonce = false;
  #queue;
  #answers = new LedgerAnswers(() => this.#settle());
  #chains = new Chains(
    (hash, signal) => this.#answers.ask(hash, signal),
    () => this.#settle(),
  );
  #commitments = new Commitments(() => this.#settle());
  #onChange;

  /** @param {{onChange: () => void, onProgress: (item: Item) => void}} listeners */
  constructor({ onChange, onProgress }) {
    this.#onChange = onChange;
    this.#queue = new ReadingQueue({ onRead: () => this.#settle(), onProgress });
  }

  /**
   * Adds all files, or none if there would be too many.
   * @param {readonly File[]} files
   * @returns {boolean} True if the files were added.
   */
  add(files) {
    if (this.items.length + files.length > maxItems) return false;
    this.items = [...this.items, ...files.map((file) => this.#queue.add(file))];
    this.#settle();
    return true;
  }

  /** @param {Item} item */
  remove(item) {
    item.reading.abort();
    this.items = this.items.filter((each) => each !== item);
    this.#settle();
  }

  /** Removes all input. */
  startAgain() {
    for (const { reading } of this.items) reading.abort();
    this.items = [];
    [this.typedHash, this.typedNonce] = [null, null];
    this.#settle();
  }

  /** @param {string | null} hash */
  setHash(hash) {
    this.typedHash = hash;
    this.#settle();
  }

  /** @param {string | null} nonce */
  setNonce(nonce) {
    this.typedNonce = nonce;
    this.#settle();
  }

  /** Repeats all requests to the ledger that did not return a transaction. */
  retry() {
    this.#answers.retry();
    this.#settle();
  }

  /** @param {string} transactionHash */
  chainOf(transactionHash) {
    return this.#chains.chainOf(transactionHash);
  }

  /**
   * Looks up earlier revisions, or more of them.
   * @param {string} transactionHash
   */
  followOn(transactionHash) {
    this.#chains.follow(transactionHash);
  }

  #settle() {
    this.#judge();
    const hashes = this.cards.flatMap(({ transactionHash }) => transactionHash ?? []);
    this.#answers.keep(hashes);
    this.#chains.keep(hashes);
    this.#beginChains();
    this.#onChange();
  }

  #judge() {
    const { cards, needsNonce } = judgeItems({
      items: this.items,
      typedHash: this.typedHash,
      typedNonce: this.typedNonce,
      answerTo: (hash) => this.#answers.answerTo(hash),
      chainOf: (hash) => this.#chains.chainOf(hash),
      commitmentOf: (nonce, fileHash) => this.#commitments.commitmentOf(nonce, fileHash),
    });
    this.cards = cards;
    this.summary = summarise(cards);
    this.needsNonce = needsNonce;
  }

  /** Looks up the chain of a single proof, and of proofs whose missing file may be in the chain. */
  #beginChains() {
    for (const { transactionHash, verification, files } of this.cards) {
      if (transactionHash === null || verification === null) continue;
      const previous = previousOf(verification);
      if (previous === null) continue;
      this.#chains.begin(transactionHash, previous);
      const isNew = this.#chains.chainOf(transactionHash)?.links.length === 0;
      if (isNew && (this.cards.length === 1 || files.length === 0)) this.followOn(transactionHash);
    }
  }
}
