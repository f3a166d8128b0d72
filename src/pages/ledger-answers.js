import { askLedger } from './ask-ledger.js';

/** @import { Answer } from './ask-ledger.js' */

/** How many questions are open at a time, so that none waits for its connection until it times out. */
const atATime = 4;

/** The ledger's answers about the transactions of interest, each asked for once. */
export class LedgerAnswers {
  /** @type {Map<string, {answer: Answer | null, asking: AbortController}>} */
  #asked = new Map();
  /** @type {(() => void)[]} */
  #waiting = [];
  #open = 0;
  #onAnswer;

  /** @param {() => void} onAnswer */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  /**
   * Null before there is one.
   * @param {string} transactionHash
   */
  answerTo(transactionHash) {
    return this.#asked.get(transactionHash)?.answer ?? null;
  }

  /**
   * Asks about these transactions, if that was not done yet, and forgets all others.
   * @param {readonly string[]} hashes
   */
  keep(hashes) {
    for (const [hash, { asking }] of this.#asked) {
      if (hashes.includes(hash)) continue;
      asking.abort();
      this.#asked.delete(hash);
    }
    for (const hash of hashes) if (!this.#asked.has(hash)) this.#ask(hash);
  }

  /** Forgets what was not found, so that it is asked for again. */
  retry() {
    for (const [hash, { answer }] of this.#asked) {
      if (answer !== null && answer.found !== 'yes') this.#asked.delete(hash);
    }
  }

  /**
   * One answer, which is not kept. Rejects when `signal` is aborted.
   * @param {string} transactionHash
   * @param {AbortSignal} signal
   */
  async ask(transactionHash, signal) {
    while (this.#open >= atATime) {
      await /** @type {Promise<void>} */ (new Promise((go) => this.#waiting.push(go)));
    }
    this.#open += 1;
    try {
      signal.throwIfAborted();
      return await askLedger(transactionHash, signal);
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** @param {string} hash */
  async #ask(hash) {
    /** @type {{answer: Answer | null, asking: AbortController}} */
    const entry = { answer: null, asking: new AbortController() };
    this.#asked.set(hash, entry);
    const answer = await this.ask(hash, entry.asking.signal).catch(() => null);
    if (answer === null || this.#asked.get(hash) !== entry) return;
    entry.answer = answer;
    this.#onAnswer();
  }
}
