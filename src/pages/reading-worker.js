import { commit } from '../domain/proof/commit.ts';
import { decodeBundle } from '../verifier/bundle/decode-bundle.ts';
import { extractBundle, maxCertificateBytes } from '../verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../verifier/bundle/no-bundle.ts';
import { maxBundleBytes, readBundle } from '../verifier/bundle/read-bundle.ts';
import { isConsistent } from '../verifier/check/is-consistent.ts';
import { certificateOf } from './certificate.js';
import { hashFile } from './hash-file.js';

/** @import { Digest } from '../domain/proof/digest.ts' */
/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { Checked, IssuedPdf, ServiceKeys } from './checked-evidence.ts' */
/** @import { ReadFile } from './given-file.ts' */

/**
 * Reads files without network access: the Content-Security-Policy of this script allows no
 * connections. Takes tasks `{id, file}`, `{id, pairs}` (of nonce and file hash), `{id, bundle, keys, issued, service}`
 * (whose signatures are verified), and `{id, entered}` (keys). Posts `{isReady}` first. Posts
 * `{id, answer}` or `{id, isFailed}`, and before that `{id, progress}` in bytes. `{id, isUnwanted}`
 * cancels a task. After `{isLoaded}` it loads the verifier of signatures.
 */
addEventListener(
  'message',
  async ({ data: { id, file, pairs, bundle, entered, isUnwanted, isLoaded, ...more } }) => {
    if (isLoaded) {
      await loadVerifier().catch(() => {}); // tried again when a certificate needs it
      return;
    }
    if (isUnwanted) {
      unwanted.add(id);
      return;
    }
    try {
      const answer = file
        ? await readFile(file, id)
        : bundle
          ? await check({ bundle, ...more })
          : pairs
            ? commitmentsOf(pairs)
            : await mistakesIn(entered);
      postMessage({ id, answer });
    } catch {
      postMessage({ id, isFailed: true });
    }
  },
);

/** @param {[nonce: string, fileHash: Digest][]} pairs */
function commitmentsOf(pairs) {
  return pairs.map(([nonce, fileHash]) => commit(nonce, fileHash));
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

/**
 * Looks for a certificate in the file. Skips files larger than any certificate.
 *
 * @param {File} file
 * @returns {Promise<Omit<ReadFile, 'fileHash'>>}
 */
async function lookInto(file) {
  const none = { certificate: null, isConsistent: false };
  const start = await file.slice(0, 1_024).text();
  // Test for JSON first: a name in a bundle may contain the header of a PDF.
  const form = /^\s*\{/.test(start) ? 'json' : start.includes('%PDF-') ? 'pdf' : null;
  const most = form === 'pdf' ? maxCertificateBytes : maxBundleBytes;
  if (form === null || file.size > most) return { ...none, form: null, why: null };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = form === 'pdf' ? await extractBundle(bytes) : decodeBundle(bytes);
    const bundle = readBundle(text);
    const certificate = certificateOf(bundle);
    return {
      ...{ certificate, isConsistent: isConsistent(bundle), bundle },
      ...{ form, why: null },
    };
  } catch (error) {
    if (!(error instanceof NoBundle)) throw error;
    return { ...none, form, why: error.why };
  }
}

/**
 * The verifier of signatures, loaded after everything else: it is larger than the rest of the page.
 */
async function loadVerifier() {
  const { checkEvidence } = await import('./check-evidence.js');
  return checkEvidence;
}

/**
 * Null if the verifier of signatures could not be loaded: then no certificate is proven.
 *
 * @param {{bundle: Bundle, keys: string, issued: IssuedPdf | null, service: ServiceKeys}} task
 * @returns {Promise<Checked | null>}
 */
async function check({ bundle, keys, issued, service }) {
  const checkEvidence = await loadVerifier().catch(() => null);
  return checkEvidence === null ? null : checkEvidence(bundle, keys, issued, service);
}

/** @param {string} entered */
async function mistakesIn(entered) {
  const { readKnownKeys } = await import('./known-keys.js');
  const { wrong, mistake } = readKnownKeys(entered);
  return { wrong, mistake };
}

postMessage({ isReady: true });
