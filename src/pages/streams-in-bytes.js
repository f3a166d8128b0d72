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
 * @returns {AsyncGenerator<Part & {isPlain: boolean, bytes: number}>} Not plain if other programs may
 *   unpack something else; `bytes` of work, of every end that was tried.
 */
export async function* streamsInBytes(pdf, maxBytes) {
  const text = new TextDecoder('latin1').decode(pdf);
  for (const { keyword, start } of startsIn(text)) {
    const dictionary = dictionaryBefore(text, keyword);
    const isPacked = isZlib(pdf, start);
    const read = isPacked ? inflate : readPlain;
    /** @type {Part | null} */
    let best = null;
    let bytes = 0;
    for (const end of endsOf(text, start, dictionary, maxBytes)) {
      const found = await read(pdf.subarray(start, end), maxBytes);
      bytes +=
        (isPacked ? end - start : 0) +
        (found.isWhole ? (found.content?.length ?? maxBytes) : maxBytes);
      if (best === null || found.isWhole) best = found;
      if (found.isWhole) break;
    }
    const content = best?.content ?? null;
    const isTooLarge = best?.isWhole === true && content === null;
    const isPlain =
      hasKnownFilters(text, keyword) &&
      !(isTooLarge && (isPacked || beginsAsJson(pdf.subarray(start, start + maxBytes)))) &&
      !(content !== null && mayBePredicted(content));
    yield { content, isWhole: best?.isWhole ?? true, isPlain, bytes };
  }
}

/**
 * Programs that are lenient pass over the rest of the keyword's line, or take it for the first bytes.
 * @param {string} text
 */
function* startsIn(text) {
  for (const { 0: line, index: keyword } of text.matchAll(/\bstream([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    yield { keyword, start: keyword + line.length };
    const [opening] = /^stream[ \t]*/.exec(line) ?? [''];
    if (!/^[\r\n]/.test(line.slice(opening.length)))
      yield { keyword, start: keyword + opening.length };
  }
}

/**
 * False if a stream may be packed in a way that is not known here. Dictionaries can hide where they
 * begin, so every filter that is named near the stream counts.
 *
 * @param {string} text
 * @param {number} keyword
 */
function hasKnownFilters(text, keyword) {
  const before = text
    .slice(Math.max(0, keyword - maxDictionary), keyword)
    .replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!/\bobj\b/.test(before) && />>\s{0,9}$/.test(before)) return false;
  return before
    .split(/\/Filter\b/)
    .slice(1)
    .every((rest) => knownFilter.test(rest));
}

/** One filter: packed as PDFs usually are, a picture, or the maker of a signature. */
const knownFilter =
  /^\s*(?:\[\s*\/(?:Flate|DCT|JPX)Decode\s*\]|\/(?:(?:Flate|DCT|JPX)Decode|Adobe\.[\w.]+)(?![^\s/<>[\]()%]))/;

/**
 * True for white space alone too: more may follow.
 * @param {Uint8Array} bytes
 */
function beginsAsJson(bytes) {
  const first = bytes.find((byte) => !blanks.includes(byte));
  return first === undefined || first === 0x7b || first === 0xef;
}

const blanks = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Rows of PNG prediction begin with its kind (0 to 4); the first byte of all is left as it was.
 * @param {Uint8Array} content
 */
function mayBePredicted(content) {
  const [kind = 255] = content;
  return kind <= 4 && content.length > 1 && beginsAsJson(content.subarray(1, 2));
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
