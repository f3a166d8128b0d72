import { askLedger } from './ask-ledger.js';
import { longestPause } from './read-answer.js';

/** @import { RequestGate } from './ask-service.js' */
/** @import { Answer } from './verification.ts' */

/** Answers that say nothing about the transaction. */
const away = ['unreachable', 'ledgerSilent', 'limited', 'paused'];

/** The ledger's answers about the transactions of interest, each requested once. */
export class LedgerAnswers {
  /** @type {Map<string, {answer: Answer | null, asking: AbortController}>} */
  #asked = new Map();
  #gate;
  #onAnswer;

  /**
   * @param {() => void} onAnswer
   * @param {RequestGate} gate
   */
  constructor(onAnswer, gate) {
    this.#onAnswer = onAnswer;
    this.#gate = gate;
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
    return longestPause([...this.#asked.values()].map(({ answer }) => answer));
  }

  /**
   * Requests again, after `keep`, what the service may answer by now. Every answer without a transaction
   * is repeated for `everything`, such as for a reader who asks for it.
   *
   * @param {{everything: boolean}} extent
   */
  retry({ everything }) {
    for (const [hash, { answer }] of this.#asked) {
      if (answer === null || answer.found === 'yes') continue;
      if (everything || away.includes(answer.found)) this.#asked.delete(hash);
    }
  }

  /**
   * Returns one answer without keeping it. Rejects when `signal` is aborted.
   * @param {string} transactionHash
   * @param {AbortSignal} signal
   */
  ask(transactionHash, signal) {
    return this.#gate.pass(() => askLedger(transactionHash, signal), signal);
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
