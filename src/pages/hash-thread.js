import { startThread } from './start-thread.js';

/** Hashes files one at a time on another thread, so that many need no more memory than one. */
export class HashThread {
  /** @type {Worker | null} */
  #thread = null;
  #asked = 0;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * The SHA-256 of a file, in hexadecimal. Rejects if the file cannot be read, or changes meanwhile.
   * @param {File} file
   * @param {(doneBytes: number) => void} onProgress
   * @returns {Promise<string>}
   */
  hash(file, onProgress) {
    const hashed = this.#last.then(() => this.#ask(file, onProgress));
    this.#last = hashed.catch(() => {});
    return hashed;
  }

  /**
   * @param {File} file
   * @param {(doneBytes: number) => void} onProgress
   * @returns {Promise<string>}
   */
  #ask(file, onProgress) {
    this.#asked += 1;
    const id = this.#asked;
    this.#thread ??= startThread('./hashing-worker.js');
    const thread = this.#thread;
    const over = new AbortController();
    const listens = { signal: over.signal };
    return new Promise((resolve, reject) => {
      const failed = () => {
        // A thread that died is not asked again.
        thread.terminate();
        this.#thread = null;
        reject(new Error('the thread that hashes died'));
      };
      thread.addEventListener('error', failed, listens);
      /** @param {MessageEvent} event */
      const onMessage = ({ data }) => {
        if (data.id !== id) return;
        if (data.progress !== undefined) onProgress(data.progress);
        else if (data.isFailed) reject(new Error('the file cannot be read'));
        else resolve(data.hash);
      };
      thread.addEventListener('message', onMessage, listens);
      thread.postMessage({ id, file });
    }).finally(() => over.abort());
  }
}
