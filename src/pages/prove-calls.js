/** The session has ended. The reader signs in again, elsewhere, and goes on here. */
export class SessionEnded extends Error {}

/** The service refuses, or does not answer. `seconds`: wait before another attempt; null: do not repeat it. */
export class CallFailed extends Error {
  /**
   * @param {string} message
   * @param {number | null} seconds
   * @param {{isOfProxy?: boolean}} [how] `isOfProxy`: a proxy answered, perhaps because of this very call.
   */
  constructor(message, seconds, { isOfProxy = false } = {}) {
    super(message);
    this.seconds = seconds;
    this.isOfProxy = isOfProxy;
  }
}

/** Seconds until sending may go on by itself; null if the reader must act. @param {unknown} error */
export function secondsUntilRetry(error) {
  if (error instanceof SessionEnded) return null;
  return error instanceof CallFailed ? error.seconds : null;
}

/**
 * A result of the service for one file.
 * @typedef {object} Result
 * @property {number} status
 * @property {{message?: string, alreadyProven?: boolean, data?: ProvenData}} body
 *
 * @typedef {object} ProvenData
 * @property {string} proofId
 * @property {string} [blockchainStatus]
 * @property {string | null} [proofNonce]
 * @property {string | null} [proofCommitment]
 * @property {string} [fileHash]
 */

/** Calls of the service by the page that proves files. */
export class ProveCalls {
  #root;
  #token;

  /** @param {{root: string, token: string}} page */
  constructor({ root, token }) {
    this.#root = root;
    this.#token = token;
  }

  /**
   * Proves hashes; one result each, in their order.
   * @param {string} workspace
   * @param {readonly object[]} items
   * @returns {Promise<readonly Result[]>}
   */
  async proveHashes(workspace, items) {
    const response = await this.#post('prove/hashes', { workspace, items });
    return (await response.json()).data;
  }

  /**
   * The certificate of a proof, as a PDF.
   * @param {string} proofId
   */
  async certificate(proofId) {
    return (await this.#post('prove/certificate', { proofId })).blob();
  }

  /**
   * Uploads a file and proves it. `fetch` tells no progress of uploads.
   * @param {string} workspace
   * @param {File} file
   * @param {(doneBytes: number) => void} onProgress
   * @returns {Promise<Result>}
   */
  upload(workspace, file, onProgress) {
    const form = new FormData();
    form.append('workspace', workspace);
    form.append('file', file, file.name);
    const request = new XMLHttpRequest();
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    return new Promise((resolve, reject) => {
      request.addEventListener('error', () => reject(away()));
      request.addEventListener('load', () => {
        const { status } = request;
        const body = parsed(request.responseText);
        const wait = Number(request.getResponseHeader('Retry-After')) || null;
        if (status === 401) reject(new SessionEnded());
        else if (status === 429 || status === 503 || isOfProxy(status, body))
          reject(
            new CallFailed(messageOf(body), wait ?? 5, { isOfProxy: isOfProxy(status, body) }),
          );
        else resolve({ status, body });
      });
      request.open('POST', `${this.#root}console/prove/file`);
      for (const [name, value] of Object.entries(this.#headers())) {
        request.setRequestHeader(name, value);
      }
      request.send(form);
    });
  }

  /**
   * Reads the token of the present session, after the reader signed in again, or after an outage. Rejects
   * with `SessionEnded` without a session, and with `CallFailed` if the service gives no page with a token.
   */
  async renew() {
    const response = await fetch(`${this.#root}console/prove`).catch(throwAway);
    if (response.status === 401) throw new SessionEnded();
    if (!response.ok) throw failureOf(response, {});
    const page = await response.text().catch(throwAway);
    const token = /id="prove"[^>]* data-token="([\w-]+)"/.exec(page)?.[1];
    if (token === undefined) throw new CallFailed(messageOf({}), null);
    this.#token = token;
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async #post(path, body) {
    const headers = { ...this.#headers(), 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#root}console/${path}`, init).catch(throwAway);
    if (response.ok) return response;
    if (response.status === 401) throw new SessionEnded();
    throw failureOf(response, parsed(await response.text().catch(throwAway)));
  }

  #headers() {
    return { Accept: 'application/json', 'X-Console-Token': this.#token };
  }
}

/**
 * True for 502 and 504 without a code: the service itself states one.
 * @param {number} status
 * @param {{code?: string}} body
 */
function isOfProxy(status, body) {
  return (status === 502 || status === 504) && body.code === undefined;
}

function away() {
  return new CallFailed('the service does not answer', 5);
}

/** @returns {never} */
function throwAway() {
  throw away();
}

/**
 * The failure that a response stands for. Overload and faults are temporary.
 * @param {Response} response
 * @param {{message?: string}} body
 */
function failureOf({ status, headers }, body) {
  const wait = Number(headers.get('Retry-After')) || null;
  const isTemporary = status === 429 || status >= 500;
  return new CallFailed(messageOf(body), isTemporary ? (wait ?? 5) : null);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {{message?: string}} body */
function messageOf({ message = 'the service has a problem' }) {
  return message;
}
