import { isConsistent } from './check-certificate.js';
import { commitmentOf } from './commitment-of.js';
import { findBundle } from './find-bundle.js';
import { hashFile } from './hash-file.js';
import { decodeBundle, maxBundleBytes, NoBundle, readBundle } from './read-bundle.js';

/** @import { Certificate } from './read-bundle.js' */

/**
 * Reads files, where nothing can be sent anywhere: this script's own Content-Security-Policy lets it
 * connect to nobody. Of tasks `{id, file}` and `{id, pairs}` (of nonce and file hash) it posts `{id, answer}`, or
 * `{id, isFailed}`, and while it reads `{id, progress}` in bytes; `{id, isUnwanted}` ends one.
 *
 * @typedef {object} ReadFile
 * @property {string} fileHash
 * @property {Certificate | null} certificate If the file is one.
 * @property {boolean} isConsistent Whether the certificate's parts fit together.
 * @property {'pdf' | 'json' | null} form What the file could have been a certificate by.
 * @property {string | null} why What kept it from being one: a name of `NoBundle`.
 */
addEventListener('message', async ({ data: { id, file, pairs, isUnwanted } }) => {
  if (isUnwanted) {
    unwanted.add(id);
    return;
  }
  try {
    const answer = file ? await readFile(file, id) : commitmentsOf(pairs);
    postMessage({ id, answer });
  } catch {
    postMessage({ id, isFailed: true });
  }
});

/** @param {[nonce: string, fileHash: string][]} pairs */
function commitmentsOf(pairs) {
  return pairs.map(([nonce, fileHash]) => commitmentOf(nonce, fileHash));
}

/** @type {Set<number>} */
const unwanted = new Set();
const progressEveryMs = 100;

/**
 * @param {File} file
 * @param {number} id
 * @returns {Promise<ReadFile>}
 */
async function readFile(file, id) {
  const found = await lookInto(file);
  let posted = performance.now();
  const fileHash = await hashFile(file, (progress) => {
    if (unwanted.delete(id)) throw new Error('nobody waits for it any more');
    if (performance.now() - posted < progressEveryMs) return;
    posted = performance.now();
    postMessage({ id, progress });
  });
  return { fileHash, ...found };
}

/** Far above any certificate: what is larger is the file itself. */
const maxCertificateBytes = 8 * 1024 * 1024;

/**
 * @param {File} file
 * @returns {Promise<Omit<ReadFile, 'fileHash'>>}
 */
async function lookInto(file) {
  const none = { certificate: null, isConsistent: false };
  const start = await file.slice(0, 1_024).text();
  // Names in a bundle may be anything, also what a PDF begins with.
  const form = /^\s*\{/.test(start) ? 'json' : start.includes('%PDF-') ? 'pdf' : null;
  const most = form === 'pdf' ? maxCertificateBytes : maxBundleBytes;
  if (form === null || file.size > most) return { ...none, form: null, why: null };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = form === 'pdf' ? await findBundle(bytes) : decodeBundle(bytes);
    const { certificate, value } = readBundle(text);
    return { certificate, isConsistent: isConsistent(certificate, value), form, why: null };
  } catch (error) {
    if (!(error instanceof NoBundle)) throw error;
    return { ...none, form, why: error.why };
  }
}
