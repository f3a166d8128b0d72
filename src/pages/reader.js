/** @import { ReadFile } from './reading-worker.js' */

/**
 * Hashes a file on another thread, and parses certificates. `onProgress` gets the number of bytes
 * done. Rejects if the file cannot be read. Abort `signal` to stop.
 *
 * @param {File} file
 * @param {{onProgress: (doneBytes: number) => void, signal: AbortSignal}} options
 * @returns {Promise<ReadFile>}
 */
export function readFile(file, { onProgress, signal }) {
  return ask({ file }, { onProgress, signal });
}

/**
 * Computes commitments to file hashes under nonces, all in hexadecimal.
 *
 * @param {readonly [nonce: string, fileHash: string][]} pairs
 * @returns {Promise<string[]>}
 */
export function computeCommitments(pairs) {
  return ask({ pairs }, {});
}

const address = new URL('./reading-worker.js', import.meta.url).href;

/**
 * Browsers with Trusted Types start scripts only from such a policy. Other browsers accept the URL.
 * @type {{createScriptURL: (url: string) => string}}
 */
const scripts = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('proofmark', {
  createScriptURL: () => address,
}) ?? { createScriptURL: () => address };

/** One thread for all tasks, started with the page, so that later reading needs no network. */
const thread = new Worker(scripts.createScriptURL(address), { type: 'module' });
// Reading needs no network from then on, also for certificates with signatures of validators.
addEventListener('load', () => thread.postMessage({ isLoaded: true }), { once: true });
let asked = 0;
let isBroken = false;
thread.addEventListener('error', () => {
  isBroken = true;
});

/**
 * @param {object} task
 * @param {{onProgress?: (doneBytes: number) => void, signal?: AbortSignal}} options
 * @returns {Promise<any>}
 */
function ask(task, { onProgress, signal }) {
  asked += 1;
  const id = asked;
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    // The thread has already sent its error event.
    if (isBroken) throw new Error('the reading thread did not start');
    const listens = { signal: over.signal };
    const onAbort = () => {
      thread.postMessage({ id, isUnwanted: true });
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, listens);
    const onError = () => reject(new Error('the reading thread did not start'));
    thread.addEventListener('error', onError, listens);
    /** @param {MessageEvent} event */
    const onMessage = ({ data }) => {
      if (data.id !== id) return;
      if (data.progress !== undefined) onProgress?.(data.progress);
      else if (data.isFailed) reject(new Error('the file cannot be read'));
      else resolve(data.answer);
    };
    thread.addEventListener('message', onMessage, listens);
    thread.postMessage({ ...task, id });
  }).finally(() => over.abort());
}
