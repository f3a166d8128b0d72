import { inflatePart, type Part } from './inflate-part.ts';

/** The content of one stream of a PDF, unpacked if it is packed as PDFs usually pack. */
export interface StreamInBytes extends Part {
  /** Index of its first byte in the file. */
  readonly start: number;
}

/**
 * Every stream in the bytes of a PDF, whether anything refers to it or not: streams of earlier revisions
 * and of unattached files too. Stated lengths and filters can mislead, so they are tried and never
 * trusted: packed data is known by its first bytes, and each keyword begins a stream of its own.
 * src/pages/streams-in-bytes.js finds the same.
 */
export function* streamsInBytes(pdf: Buffer, maxBytes: number): Generator<StreamInBytes> {
  const text = pdf.toString('latin1');
  for (const match of text.matchAll(/\bstream(?:\r\n|\n|\r)/g)) {
    const start = match.index + match[0].length;
    const dictionary = dictionaryBefore(text, match.index);
    const isPacked = isZlib(pdf, start);
    const read = isPacked ? inflatePart : readPlain;
    let best: Part | null = null;
    for (const end of endsOf(text, start, dictionary, maxBytes)) {
      const found = read(pdf.subarray(start, end), maxBytes);
      if (best === null || found.isWhole) best = found;
      if (found.isWhole) break;
    }
    // Text may begin with the same two bytes.
    const isText = isPacked && best?.isWhole === false && !dictionary.includes('/Filter');
    const content = best?.content ?? null;
    yield { start, content, isWhole: isText || (best?.isWhole ?? true) };
  }
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
function isZlib(pdf: Buffer, start: number): boolean {
  const [method = 0, flags = 0] = pdf.subarray(start, start + 2);
  return (method & 0x0f) === 8 && (256 * method + flags) % 31 === 0;
}

/** Text that begins as a JSON object, but cannot be parsed, was cut off. */
function readPlain(bytes: Buffer, maxBytes: number): Part {
  if (bytes.length > maxBytes) return { content: null, isWhole: true };
  const isObject = /^(?:\xef\xbb\xbf)?\s*\{\s*"/.test(bytes.toString('latin1'));
  return { content: bytes, isWhole: !isObject || isJson(bytes.toString('utf8')) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
