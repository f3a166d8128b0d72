/** The session has ended. The reader signs in again, elsewhere, and goes on here. */
export class SessionEnded extends Error {}

/** The service refuses, or does not answer. `seconds`: wait before another attempt; null: do not repeat it. */
export class CallFailed extends Error {
  /**
   * @param {string} message
   * @param {number | null} seconds
   */
  constructor(message, seconds) {
    super(message);
    this.seconds = seconds;
  }
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
        else if (status === 429 || status === 503)
          reject(new CallFailed(messageOf(body), wait ?? 5));
        else resolve({ status, body });
      });
      request.open('POST', `${this.#root}console/prove/file`);
      for (const [name, value] of Object.entries(this.#headers())) {
        request.setRequestHeader(name, value);
      }
      request.send(form);
    });
  }

  /** Reads the token of the present session, after the reader signed in again. */
  async renew() {
    const response = await fetch(`${this.#root}console/prove`);
    const token = /id="prove"[^>]* data-token="([\w-]+)"/.exec(await response.text())?.[1];
    if (token === undefined) throw new SessionEnded();
    this.#token = token;
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async #post(path, body) {
    const headers = { ...this.#headers(), 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#root}console/${path}`, init).catch(() => {
      throw away();
    });
    if (response.ok) return response;
    if (response.status === 401) throw new SessionEnded();
    const wait = Number(response.headers.get('Retry-After')) || null;
    const isTemporary = response.status === 429 || response.status >= 500;
    throw new CallFailed(
      messageOf(parsed(await response.text())),
      isTemporary ? (wait ?? 5) : null,
    );
  }

  #headers() {
    return { Accept: 'application/json', 'X-Console-Token': this.#token };
  }
}

function away() {
  return new CallFailed('the service does not answer', 5);
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
