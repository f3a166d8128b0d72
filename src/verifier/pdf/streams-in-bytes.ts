import { type Bytes, inflate, type Part } from './inflate.ts';
import { latin1 } from './latin1.ts';

/** The content of one stream of a PDF, decompressed if compressed by zlib. */
interface StreamInBytes extends Part {
  /** Index of the stream's first byte in the file. */
  readonly start: number;
  /** False if other programs may decode different content. */
  readonly isPlain: boolean;
  /** Bytes of work, summed over all ends that were tried. */
  readonly bytes: number;
}

/**
 * Finds every stream in the bytes of a PDF, including unreferenced streams, streams of earlier
 * revisions and unattached files. Never trusts stated lengths and filters, which can mislead.
 * Recognises compressed data by its first bytes. Each keyword `stream` begins a stream of its own.
 */
export async function* streamsInBytes(pdf: Bytes, maxBytes: number): AsyncGenerator<StreamInBytes> {
  const text = latin1(pdf);
  for (const { keyword, start } of startsIn(text)) {
    const dictionary = dictionaryBefore(text, keyword);
    const isPacked = isZlib(pdf, start);
    const read = isPacked ? inflate : readPlain;
    let best: Part | null = null;
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
    yield { start, content, isWhole: best?.isWhole ?? true, isPlain, bytes };
  }
}

/** Lenient programs skip the rest of the keyword's line, or read it as the first bytes. */
function* startsIn(text: string) {
  for (const { 0: line, index: keyword } of text.matchAll(/\bstream([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    yield { keyword, start: keyword + line.length };
    const [opening] = /^stream[ \t]*/.exec(line) ?? [''];
    if (!/^[\r\n]/.test(line.slice(opening.length)))
      yield { keyword, start: keyword + opening.length };
  }
}

/**
 * False if a stream may have an unknown filter. Checks every filter named near the stream, because
 * a dictionary can hide its beginning.
 */
function hasKnownFilters(text: string, keyword: number): boolean {
  const before = text
    .slice(Math.max(0, keyword - maxDictionary), keyword)
    .replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!/\bobj\b/.test(before) && />>\s{0,9}$/.test(before)) return false;
  return before
    .split(/\/Filter\b/)
    .slice(1)
    .every((rest) => knownFilter.test(rest));
}

/** One filter: zlib compression, an image, or the handler of a signature. */
const knownFilter =
  /^\s*(?:\[\s*\/(?:Flate|DCT|JPX)Decode\s*\]|\/(?:(?:Flate|DCT|JPX)Decode|Adobe\.[\w.]+)(?![^\s/<>[\]()%]))/;

/** True also for white space alone, because JSON may follow. */
function beginsAsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !blanks.includes(byte));
  return first === undefined || first === 0x7b || first === 0xef;
}

const blanks = [0x20, 0x09, 0x0a, 0x0d];

/** Rows of PNG prediction begin with the filter type (0 to 4). The first data byte is unchanged. */
function mayBePredicted(content: Uint8Array): boolean {
  const [kind = 255] = content;
  return kind <= 4 && content.length > 1 && beginsAsJson(content.subarray(1, 2));
}

/** Maximum distance from the beginning of a dictionary to its stream, in bytes. */
const maxDictionary = 4_096;

function dictionaryBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - maxDictionary), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

/** Maximum number of keywords `endstream` to try as the end of one stream. */
const maxEnds = 8;

/** Possible ends of a stream: its stated length, or one of the next keywords `endstream`. */
function* endsOf(text: string, start: number, dictionary: string, maxBytes: number) {
  const [, length] = /\/Length\s+(\d{1,9})(?!\d*\s+\d+\s+R)/.exec(dictionary) ?? [];
  const stated = start + Number(length);
  if (/^\s{0,2}endstream/.test(text.slice(stated, stated + 11))) {
    const [counted = ''] = /(?:\r?\n)?$/.exec(text.slice(stated - 2, stated)) ?? [];
    for (let extra = 0; extra <= counted.length; extra += 1) yield stated - extra;
  }
  const near = text.slice(start, start + 2 * maxBytes);
  let at = near.indexOf('endstream');
  for (let ends = 0; at >= 0 && ends < maxEnds; ends += 1) {
    const [blank = ''] = /[\0\t\n\f\r ]{0,4}$/.exec(near.slice(Math.max(0, at - 4), at)) ?? [];
    for (let extra = 0; extra <= blank.length; extra += 1) yield start + at - extra;
    at = near.indexOf('endstream', at + 1);
  }
}

/** True for a zlib header (RFC 1950, 2.2). No JSON begins with these bytes. */
function isZlib(pdf: Uint8Array, start: number): boolean {
  const [method = 0, flags = 0] = pdf.subarray(start, start + 2);
  return (method & 0x0f) === 8 && (256 * method + flags) % 31 === 0;
}

/** Treats text as truncated if it begins like a JSON object but cannot be parsed. */
function readPlain(bytes: Bytes, maxBytes: number): Part {
  if (bytes.length > maxBytes) return { content: null, isWhole: true };
  const text = new TextDecoder().decode(bytes);
  return { content: bytes, isWhole: !/^\s*\{\s*"/.test(text) || isJson(text) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
