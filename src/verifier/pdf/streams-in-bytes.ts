import { type Bytes, inflate, type Part } from './inflate.ts';
import { latin1 } from './latin1.ts';

/** The content of one stream of a PDF, unpacked if it is packed as PDFs usually pack. */
export interface StreamInBytes extends Part {
  /** Index of its first byte in the file. */
  readonly start: number;
  /** False if other programs may unpack something else. */
  readonly isPlain: boolean;
  /** Bytes of work, of every end that was tried. */
  readonly bytes: number;
}

/**
 * Every stream in the bytes of a PDF, whether anything refers to it or not: streams of earlier revisions
 * and of unattached files too. Stated lengths and filters can mislead, so they are tried and never
 * trusted: packed data is known by its first bytes, and each keyword begins a stream of its own.
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

/** Programs that are lenient pass over the rest of the keyword's line, or take it for the first bytes. */
function* startsIn(text: string) {
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

/** One filter: packed as PDFs usually are, a picture, or the maker of a signature. */
const knownFilter =
  /^\s*(?:\[\s*\/(?:Flate|DCT|JPX)Decode\s*\]|\/(?:(?:Flate|DCT|JPX)Decode|Adobe\.[\w.]+)(?![^\s/<>[\]()%]))/;

/** True for white space alone too: more may follow. */
function beginsAsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !blanks.includes(byte));
  return first === undefined || first === 0x7b || first === 0xef;
}

const blanks = [0x20, 0x09, 0x0a, 0x0d];

/** Rows of PNG prediction begin with its kind (0 to 4); the first byte of all is left as it was. */
function mayBePredicted(content: Uint8Array): boolean {
  const [kind = 255] = content;
  return kind <= 4 && content.length > 1 && beginsAsJson(content.subarray(1, 2));
}

/** How far before its bytes a stream's dictionary may begin. */
const maxDictionary = 4_096;

function dictionaryBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - maxDictionary), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

/** A stream may hold the word by which streams end, this many times. */
const maxEnds = 8;

/** Possible ends of a stream: after its stated length, or in front of one of the next ends of a stream. */
function* endsOf(text: string, start: number, dictionary: string, maxBytes: number) {
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

/** A zlib header (RFC 1950, 2.2). No JSON begins like it. */
function isZlib(pdf: Uint8Array, start: number): boolean {
  const [method = 0, flags = 0] = pdf.subarray(start, start + 2);
  return (method & 0x0f) === 8 && (256 * method + flags) % 31 === 0;
}

/** Text that begins as a JSON object, but cannot be parsed, was cut off. */
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
