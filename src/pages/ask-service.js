import { readPause, readText } from './read-answer.js';

/**
 * An answer of the service. `strange` is an unexpected response, for example from a proxy. `Missing`
 * are reasons of the service for having no data.
 *
 * @template Data
 * @template {string} Missing
 * @typedef {{found: 'yes', data: Data} | {found: Missing | 'unreachable' | 'strange'}
 *   | {found: 'limited' | 'paused', seconds: number}} ServiceAnswer
 */

/** Longer than the service needs for an answer, and than its own timeout for the ledger. */
const timeoutMs = 30_000;

/**
 * Asks the service for public data. Rejects only if `signal` is aborted.
 *
 * @template Data
 * @template {string} Missing
 * @param {string} path Below the root of the service.
 * @param {object} options
 * @param {(body: any) => Data | null} options.read Null for a body of another form.
 * @param {Readonly<Record<string, Missing>>} options.missing Reasons by the code of the service.
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<ServiceAnswer<Data, Missing>>}
 */
export async function askService(path, { read, missing, signal }) {
  const url = new URL(`../${path}`, import.meta.url);
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ends = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const response = await fetch(url, { signal: ends, credentials: 'omit', redirect: 'error' });
    const seconds = readPause(response);
    if (response.status === 429) return { found: 'limited', seconds };
    if (response.status === 503) return { found: 'paused', seconds };
    const body = JSON.parse(await readText(response));
    const data = response.ok ? read(body) : null;
    if (data !== null) return { found: 'yes', data };
    return { found: reasonOf(body, missing) ?? 'strange' };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { found: error instanceof SyntaxError ? 'strange' : 'unreachable' };
  }
}

/**
 * @template {string} Missing
 * @param {any} body
 * @param {Readonly<Record<string, Missing>>} missing
 * @returns {Missing | null}
 */
function reasonOf(body, missing) {
  const code = String(body?.code);
  return Object.hasOwn(missing, code) ? (missing[code] ?? null) : null;
}

/**
 * Limits concurrent requests to the service, so that none times out while it waits for a connection. All
 * askers of a page share one gate.
 */
export class RequestGate {
  /** @type {(() => void)[]} */
  #waiting = [];
  #open = 0;
  #most;

  /** @param {number} [most] Maximum concurrent requests. */
  constructor(most = 4) {
    this.#most = most;
  }

  /**
   * Runs a request as soon as there is room. Rejects without running it if `signal` is aborted by then.
   *
   * @template Answer
   * @param {() => Promise<Answer>} request
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async pass(request, signal) {
    while (this.#open >= this.#most) {
      await /** @type {Promise<void>} */ (new Promise((go) => this.#waiting.push(go)));
    }
    this.#open += 1;
    try {
      signal.throwIfAborted();
      return await request();
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }
}
