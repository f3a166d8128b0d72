import { decodeBundle, maxBundleBytes, NoBundle } from './read-bundle.js';
import { streamsInBytes } from './streams-in-bytes.js';

/** Limits of the work for one PDF, far above any certificate; the same as in src/certificates/bundles-in-pdf.ts. */
const maxStreams = 1_000;
const maxWorkBytes = 32 * 1024 * 1024;
const maxDamaged = 4;

/**
 * The text of the proof bundle in a PDF of unknown origin: of every stream in the file, in whichever
 * revision of it and however it is called, the one that is a bundle. Time and memory are bounded
 * whatever the file says. Throws `NoBundle` if there is none, if there are different ones, or if there
 * may be others. The same bundle embedded twice counts once.
 *
 * @param {Uint8Array<ArrayBuffer>} pdf
 */
export async function findBundle(pdf) {
  const bundles = new Map();
  let [streams, workBytes, damaged] = [0, 0, 0];
  let [isSearched, arePlain] = [true, true];
  for await (const { content, isWhole, isPlain, bytes } of streamsInBytes(pdf, maxBundleBytes)) {
    streams += 1;
    workBytes += bytes;
    arePlain &&= isPlain;
    if (content !== null && isBundle(content)) {
      bundles.set(bundleKey(content), content);
    } else if (!isWhole) {
      damaged += 1;
    }
    isSearched = streams <= maxStreams && workBytes <= maxWorkBytes && damaged <= maxDamaged;
    if (!isSearched) break;
  }
  const [bundle, second] = bundles.values();
  if (second !== undefined) throw new NoBundle('severalBundles');
  if (bundle === undefined) throw new NoBundle('noBundle');
  if (!isSearched || !arePlain || damaged > 0) throw new NoBundle('unsearchedPdf');
  return decodeBundle(bundle);
}

/**
 * Equal for bundles that are the same but for a line break at the end, which tools add or drop.
 * @param {Uint8Array} content
 */
function bundleKey(content) {
  let [start, end] = [0, content.length];
  while (start < end && isBlank(content[start])) start += 1;
  while (end > start && isBlank(content[end - 1])) end -= 1;
  return new TextDecoder('latin1').decode(content.subarray(start, end));
}

/**
 * The white space of JSON (RFC 8259, 2).
 * @param {number | undefined} byte
 */
function isBlank(byte) {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** @param {Uint8Array} content */
function isBundle(content) {
  const text = new TextDecoder().decode(content);
  if (text.includes('"proofmark/bundle"')) return true;
  if (!/^\s*\{/.test(text)) return false;
  try {
    return JSON.parse(text).format === 'proofmark/bundle';
  } catch {
    return false;
  }
}
