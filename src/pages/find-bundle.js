import { decodeBundle, maxBundleBytes, NoBundle } from './read-bundle.js';
import { streamsInBytes } from './streams-in-bytes.js';

/** Limits of the work for one PDF, far above any certificate; the same as in src/certificates/bundles-in-pdf.ts. */
const maxStreams = 1_000;
const maxUnpackedBytes = 32 * 1024 * 1024;
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
  let [streams, unpackedBytes, damaged] = [0, 0, 0];
  let isSearched = true;
  for await (const { content, isWhole } of streamsInBytes(pdf, maxBundleBytes)) {
    streams += 1;
    unpackedBytes += content?.length ?? maxBundleBytes;
    if (content !== null && isBundle(content)) {
      // Tools may add or drop a line break at the end.
      const characters = new TextDecoder('latin1').decode(content);
      bundles.set(characters.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''), content);
    } else if (!isWhole) {
      damaged += 1;
    }
    isSearched =
      streams <= maxStreams && unpackedBytes <= maxUnpackedBytes && damaged <= maxDamaged;
    if (!isSearched) break;
  }
  const [bundle, second] = bundles.values();
  if (second !== undefined) throw new NoBundle('severalBundles');
  if (bundle === undefined) throw new NoBundle('noBundle');
  if (!isSearched || damaged > 0) throw new NoBundle('unsearchedPdf');
  return decodeBundle(bundle);
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
