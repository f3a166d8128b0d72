import { startThread } from './start-thread.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { Checked, IssuedPdf, ServiceKeys } from './checked-evidence.ts' */
/** @import { ReadFile } from './given-file.ts' */

/** The reading thread could not be loaded, or died. This says nothing about the file. */
export class ReaderMissing extends Error {
  /** @param {boolean} isLoaded True if the thread ran before it died. */
  constructor(isLoaded) {
    super('the reading thread is missing');
    this.isLoaded = isLoaded;
  }
}

/**
 * Hashes a file on another thread, and parses certificates. `onProgress` gets the number of bytes
 * done. Rejects if the file cannot be read, and with `ReaderMissing` without the thread. Abort
 * `signal` to stop.
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

/**
 * Verifies the signatures in a bundle. Null if the verifier could not be loaded.
 *
 * @param {Bundle} bundle
 * @param {{keys: string, issued: IssuedPdf | null, service: ServiceKeys}} given `keys`: those that the reader
 *   entered. `issued`: the PDF with the bundle, and the record of its bytes.
 * @returns {Promise<Checked | null>}
 */
export function checkBundle(bundle, given) {
  return ask({ bundle, ...given }, {});
}

/**
 * Looks for mistakes in keys that the reader entered. Rejects if the part that reads keys could not be
 * loaded.
 *
 * @param {string} entered
 * @returns {Promise<Pick<ReturnType<typeof import('./known-keys.js').readKnownKeys>, 'wrong' | 'mistake'>>}
 */
export function readKeys(entered) {
  return ask({ entered }, {});
}

let isPageLoaded = false;
let asked = 0;

/** The present thread for all tasks, started with the page, so that later reading needs no network. */
let present = start();

// Reading needs no network from then on, also the verification of signatures.
addEventListener(
  'load',
  () => {
    isPageLoaded = true;
    present.thread.postMessage({ isLoaded: true });
  },
  { once: true },
);

function start() {
  const started = { thread: startThread('./reading-worker.js'), isReady: false, isBroken: false };
  const { thread } = started;
  thread.addEventListener('message', ({ data }) => {
    if (data.isReady) started.isReady = true;
  });
  thread.addEventListener('error', () => {
    started.isBroken = true;
  });
  return started;
}

/** The present thread, or a new one if it died. */
function running() {
  if (!present.isBroken) return present;
  present.thread.terminate();
  present = start();
  if (isPageLoaded) present.thread.postMessage({ isLoaded: true });
  return present;
}

/**
 * @param {object} task
 * @param {{onProgress?: (doneBytes: number) => void, signal?: AbortSignal}} options
 * @returns {Promise<any>}
 */
function ask(task, { onProgress, signal }) {
  asked += 1;
  const id = asked;
  const over = new AbortController();
  const used = running();
  const { thread } = used;
  return new Promise((resolve, reject) => {
    const listens = { signal: over.signal };
    const onAbort = () => {
      thread.postMessage({ id, isUnwanted: true });
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, listens);
    const onError = () => reject(new ReaderMissing(used.isReady));
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
