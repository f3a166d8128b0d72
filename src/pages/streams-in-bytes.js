/**
 * As much of some data as can be had: null if there is more than was asked for, or nothing can be had;
 * whole unless it is cut off, damaged or followed by something else. Of the last two nothing is had.
 *
 * @typedef {{content: Uint8Array | null, isWhole: boolean}} Part
 */

/**
 * Every stream in the bytes of a PDF with where it begins, whether anything refers to it or not: streams
 * of earlier revisions and of unattached files too. Stated lengths and filters can mislead, so they are
 * tried and never trusted: packed data is known by its first bytes, and each keyword begins a stream of
 * its own. src/certificates/pdf-reading/streams-in-bytes.ts finds the same.
 *
 * @param {Uint8Array<ArrayBuffer>} pdf
 * @param {number} maxBytes
 * @returns {AsyncGenerator<Part>}
 */
export async function* streamsInBytes(pdf, maxBytes) {
  const text = new TextDecoder('latin1').decode(pdf);
  for (const match of text.matchAll(/\bstream(?:\r\n|\n|\r)/g)) {
    const start = match.index + match[0].length;
    const dictionary = dictionaryBefore(text, match.index);
    const isPacked = isZlib(pdf, start);
    const read = isPacked ? inflate : readPlain;
    /** @type {Part | null} */
    let best = null;
    for (const end of endsOf(text, start, dictionary, maxBytes)) {
      const found = await read(pdf.subarray(start, end), maxBytes);
      if (best === null || found.isWhole) best = found;
      if (found.isWhole) break;
    }
    // Text may begin with the same two bytes.
    const isText = isPacked && best?.isWhole === false && !dictionary.includes('/Filter');
    yield { content: best?.content ?? null, isWhole: isText || (best?.isWhole ?? true) };
  }
}

/** How far before its bytes a stream's dictionary may begin. */
const maxDictionary = 4_096;

/**
 * @param {string} text
 * @param {number} at
 */
function dictionaryBefore(text, at) {
  const before = text.slice(Math.max(0, at - maxDictionary), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

/** A stream may hold the word by which streams end, this many times. */
const maxEnds = 8;

/**
 * Possible ends of a stream: after its stated length, or in front of one of the next ends of a stream.
 *
 * @param {string} text A character a byte.
 * @param {number} start
 * @param {string} dictionary
 * @param {number} maxBytes
 */
function* endsOf(text, start, dictionary, maxBytes) {
  const [, length] = /\/Length\s+(\d{1,9})(?!\d*\s+\d+\s+R)/.exec(dictionary) ?? [];
  const stated = start + Number(length);
  if (/^\s{0,2}endstream/.test(text.slice(stated, stated + 11))) yield stated;
  const near = text.slice(start, start + 2 * maxBytes);
  let at = near.indexOf('endstream');
  for (let ends = 0; at >= 0 && ends < maxEnds; ends += 1) {
    const [lineBreak = ''] = /(?:\r\n|\n|\r)$/.exec(near.slice(Math.max(0, at - 2), at)) ?? [];
    yield start + at;
    if (lineBreak !== '') yield start + at - lineBreak.length;
    at = near.indexOf('endstream', at + 1);
  }
}

/**
 * A zlib header (RFC 1950, 2.2). No JSON begins like it.
 * @param {Uint8Array} pdf
 * @param {number} start
 */
function isZlib(pdf, start) {
  const [method = 0, flags = 0] = pdf.subarray(start, start + 2);
  return (method & 0x0f) === 8 && (256 * method + flags) % 31 === 0;
}

/**
 * Text that begins as a JSON object, but cannot be parsed, was cut off.
 * @param {Uint8Array} bytes
 * @param {number} maxBytes
 * @returns {Part}
 */
function readPlain(bytes, maxBytes) {
  if (bytes.length > maxBytes) return { content: null, isWhole: true };
  const text = new TextDecoder().decode(bytes);
  return { content: bytes, isWhole: !/^\s*\{\s*"/.test(text) || isJson(text) };
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks zlib data of unknown origin, at most `maxBytes` of it.
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {number} maxBytes
 * @returns {Promise<Part>}
 */
async function inflate(packed, maxBytes) {
  const { readable, writable } = new DecompressionStream('deflate');
  const unpacking = collect(readable.getReader(), maxBytes);
  const writer = writable.getWriter();
  // Damage, and what follows the end, reject this; that something is missing rejects the end alone.
  const isSound = await writer.write(packed).then(...toBoolean);
  const isWhole = isSound && (await writer.close().then(...toBoolean));
  const content = await unpacking;
  if (content === null) return { content, isWhole: true };
  return { content: isSound ? content : null, isWhole };
}

const toBoolean = /** @type {const} */ ([() => true, () => false]);

/**
 * Everything until the end or a failure; null as soon as it is too much.
 * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader
 * @param {number} maxBytes
 */
async function collect(reader, maxBytes) {
  const chunks = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > maxBytes) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    // Damaged, cut off, or something follows.
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
