import { askLedger } from './ask-ledger.js';

/** @import { Answer } from './ask-ledger.js' */

/** Answers that say nothing about the transaction. */
const away = ['unreachable', 'ledgerSilent', 'limited', 'paused'];

/** Maximum concurrent requests, so that none times out while it waits for a connection. */
const atATime = 4;

/** The ledger's answers about the transactions of interest, each requested once. */
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
   * Returns null before there is an answer.
   * @param {string} transactionHash
   */
  answerTo(transactionHash) {
    return this.#asked.get(transactionHash)?.answer ?? null;
  }

  /**
   * Requests answers for new transactions, and removes all transactions that are not given.
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

  /** True if an answer is missing that the service or the ledger may give later. */
  isAway() {
    return [...this.#asked.values()].some(({ answer }) => away.includes(answer?.found ?? ''));
  }

  /** The longest pause that the service asks for; 0 without one. */
  pauseSeconds() {
    return Math.max(
      0,
      ...[...this.#asked.values()].map(({ answer }) =>
        answer !== null && 'seconds' in answer ? answer.seconds : 0,
      ),
    );
  }

  /** Removes answers without a transaction, so that they are requested again. */
  retry() {
    for (const [hash, { answer }] of this.#asked) {
      if (answer !== null && answer.found !== 'yes') this.#asked.delete(hash);
    }
  }

  /**
   * Returns one answer without keeping it. Rejects when `signal` is aborted.
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
