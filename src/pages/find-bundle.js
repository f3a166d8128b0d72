import { maxBundleBytes, NoBundle } from './read-bundle.js';

/** What reading one PDF may cost, in bytes unpacked; no certificate comes near it. */
const maxUnpackedBytes = 32 * 1024 * 1024;
const maxStreams = 1_000;
/** How far before its bytes a stream's dictionary may begin. */
const maxDictionary = 4_096;

/**
 * The text of the proof bundle that is attached to a PDF of unknown origin: of every stream in the file,
 * in whichever revision of it and however it is called, the one that is a bundle. Time and memory are
 * bounded whatever the file says. Throws `NoBundle` if there is none, or there are different ones.
 *
 * @param {Uint8Array<ArrayBuffer>} pdf
 */
export async function findBundle(pdf) {
  const streams = streamsIn(new TextDecoder('latin1').decode(pdf));
  // Attached files first; whether one says that it is one is up to who wrote the PDF.
  streams.sort((a, b) => Number(b.isAttached) - Number(a.isAttached));
  const bundles = new Set();
  let left = maxUnpackedBytes;
  for (const { start, end, isPacked } of streams) {
    const bytes = pdf.subarray(start, end);
    const unpacked = isPacked ? await inflate(bytes, Math.min(left, maxBundleBytes)) : bytes;
    left -= unpacked.length;
    if (left <= 0) break;
    if (unpacked.length > maxBundleBytes) continue;
    const text = new TextDecoder().decode(unpacked);
    if (isBundle(text)) bundles.add(text);
  }
  const [bundle, second] = bundles;
  if (second !== undefined) throw new NoBundle('severalBundles');
  if (bundle === undefined) throw new NoBundle('noBundle');
  return /** @type {string} */ (bundle);
}

/** @param {string} text */
function isBundle(text) {
  if (text.includes('"proofmark/bundle"')) return true;
  if (!/^\s*\{/.test(text)) return false;
  try {
    return JSON.parse(text).format === 'proofmark/bundle';
  } catch {
    return false;
  }
}

/**
 * Where streams are (ISO 32000-1, 7.3.8) that are not packed at all, or in the way that PDFs usually do.
 * @param {string} pdf A character a byte.
 */
function streamsIn(pdf) {
  const found = [];
  const word = /\bstream\r?\n/g;
  for (let match = word.exec(pdf); match && found.length < maxStreams; match = word.exec(pdf)) {
    const start = word.lastIndex;
    const before = pdf.slice(Math.max(0, match.index - maxDictionary), match.index);
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1);
    const end = endOf(pdf, start, dictionary);
    if (end < 0) break;
    word.lastIndex = end;
    const [, filter, second] = /\/Filter\s*\[?\s*\/(\w+)(\s*\/\w+)?/.exec(dictionary) ?? [];
    if (
      second !== undefined &&
      !/^\s*\/(DecodeParms|Length|Type|Subtype|Params|DL)$/.test(second)
    ) {
      continue;
    }
    if (filter !== undefined && filter !== 'FlateDecode') continue;
    const isAttached = /\/EmbeddedFile\b/.test(dictionary);
    found.push({ start, end, isPacked: filter !== undefined, isAttached });
  }
  return found;
}

/**
 * Its stated length, if a stream ends there; otherwise the next place where one does.
 * @param {string} pdf
 * @param {number} start
 * @param {string} dictionary
 */
function endOf(pdf, start, dictionary) {
  const [, length] = /\/Length\s+(\d{1,9})(?!\d*\s+\d+\s+R)/.exec(dictionary) ?? [];
  const stated = start + Number(length);
  if (/^\s{0,2}endstream/.test(pdf.slice(stated, stated + 11))) return stated;
  return pdf.indexOf('endstream', start);
}

/**
 * Unpacks at most a little more than so many bytes. What comes before damage counts: checksums tell.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} maxBytes
 */
async function inflate(bytes, maxBytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .getReader();
  const chunks = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > maxBytes) break;
    }
    await reader.cancel();
  } catch {
    // Damaged, or something follows.
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
