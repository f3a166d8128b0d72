import { startThread } from './start-thread.js';

/** @import { Answer } from './verification.ts' */

/**
 * Reads the address of a ledger server as people write it: its name, or a WebSocket or JSON-RPC URL
 * (`wss:`, `https:`). Null if it is none.
 *
 * @param {string} entered
 * @returns {{url: string, name: string} | null}
 */
export function readServer(entered) {
  const found =
    /^(?:(wss?|https?):\/\/)?([a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d{1,5})?)\/?$/i.exec(
      entered.trim(),
    );
  if (found === null) return null;
  const [, scheme = 'wss', host = ''] = found;
  return { url: `${scheme.toLowerCase()}://${host.toLowerCase()}`, name: host.toLowerCase() };
}

/**
 * A ledger server that the reader named. A thread asks it: the policy of this page permits no
 * connection to others, and the policy of the thread permits one to this server alone. The server
 * learns the hashes of transactions, and nothing else.
 */
export class NamedServer {
  /** @type {Map<string, Answer | null>} */
  #answers = new Map();
  /** @type {{url: string, name: string} | null} */
  #server = null;
  /** @type {Worker | null} */
  #thread = null;
  #onAnswer;

  /** @param {() => void} onAnswer */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  /** Name of the server; null without one. */
  get name() {
    return this.#server?.name ?? null;
  }

  /** @param {string | null} entered An address that `readServer` accepts; null for no server. */
  setServer(entered) {
    this.#server = entered === null ? null : readServer(entered);
    this.#answers = new Map();
    this.#stop();
  }

  /**
   * Null without a server, and before its answer.
   * @param {string} transactionHash
   */
  answerTo(transactionHash) {
    return this.#answers.get(transactionHash) ?? null;
  }

  /**
   * Asks for transactions that were not asked for yet.
   * @param {readonly string[]} hashes
   */
  keep(hashes) {
    if (this.#server === null) return;
    for (const hash of hashes) {
      if (this.#answers.has(hash)) continue;
      this.#answers.set(hash, null);
      this.#running(this.#server.url).postMessage({ transactionHash: hash });
    }
  }

  /** True if the server gave no usable answer to a request. */
  isAway() {
    return [...this.#answers.values()].some((answer) => answer?.found === 'unreachable');
  }

  /**
   * Requests again, after `keep`, what the server did not answer; every answer without a transaction for
   * `everything`.
   *
   * @param {{everything: boolean}} extent
   */
  retry({ everything }) {
    for (const [hash, answer] of this.#answers) {
      if (answer === null || answer.found === 'yes') continue;
      if (everything || answer.found === 'unreachable') this.#answers.delete(hash);
    }
  }

  /** @param {string} url */
  #running(url) {
    if (this.#thread !== null) return this.#thread;
    const thread = startThread('./server-worker.js', { server: url });
    this.#thread = thread;
    thread.addEventListener('message', ({ data: { transactionHash, answer } }) => {
      this.#hear(thread, transactionHash, answer);
    });
    thread.addEventListener('error', () => {
      const open = [...this.#answers].flatMap(([hash, answer]) => (answer === null ? hash : []));
      if (this.#thread === thread) this.#stop();
      for (const hash of open) this.#answers.set(hash, { found: 'unreachable' });
      this.#onAnswer();
    });
    return thread;
  }

  /**
   * @param {Worker} thread
   * @param {string} hash
   * @param {Answer} answer
   */
  #hear(thread, hash, answer) {
    if (this.#thread !== thread || !this.#answers.has(hash)) return;
    this.#answers.set(hash, answer);
    this.#onAnswer();
  }

  #stop() {
    this.#thread?.terminate();
    this.#thread = null;
  }
}
