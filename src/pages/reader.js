/** @import { ReadFile } from './reading-worker.js' */

/**
 * Reads a file on a thread of its own: its hash, and the certificate that it may be. `onProgress` is
 * told how many bytes are done. Rejects if it cannot be read; abort `signal` to end it.
 *
 * @param {File} file
 * @param {{onProgress: (doneBytes: number) => void, signal: AbortSignal}} options
 * @returns {Promise<ReadFile>}
 */
export function readFile(file, { onProgress, signal }) {
  return ask({ file }, 'read', { onProgress, signal });
}

/**
 * The commitment to a file's hash under a nonce, all in hexadecimal.
 *
 * @param {string} nonce
 * @param {string} fileHash
 * @returns {Promise<string>}
 */
export function computeCommitment(nonce, fileHash) {
  return ask({ nonce, fileHash }, 'commitment');
}

const address = new URL('./reading-worker.js', import.meta.url).href;

/**
 * Browsers that know them start scripts from such a policy alone; others take the address as it is.
 * @type {{createScriptURL: (url: string) => string}}
 */
const scripts = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('proofmark', {
  createScriptURL: () => address,
}) ?? { createScriptURL: () => address };

/**
 * @param {object} task
 * @param {'read' | 'commitment'} wanted
 * @param {{onProgress?: (doneBytes: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
function ask(task, wanted, { onProgress, signal } = {}) {
  const worker = new Worker(scripts.createScriptURL(address), { type: 'module' });
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    worker.addEventListener('error', () => reject(new Error('the reading thread did not start')));
    worker.addEventListener('message', ({ data }) => {
      if (data.progress) onProgress?.(data.progress);
      else if (data.failed) reject(new Error('the file cannot be read'));
      else resolve(data[wanted]);
    });
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
