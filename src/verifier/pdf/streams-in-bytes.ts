import { Budget } from './budget.ts';
import { type Bytes, inflate, type Part } from './inflate.ts';
import { PdfParser } from './pdf-parser.ts';
import { asCount, blank, isDictionary } from './pdf-value.ts';
import { streamEnd } from './read-object.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** The content of one stream of a PDF, decompressed if compressed by zlib. */
interface StreamInBytes extends Part {
  /** Index of the stream's first byte in the file. */
  readonly start: number;
  /** Index after its last byte in the file. */
  readonly end: number;
  /** False if other programs may decode different content. */
  readonly isPlain: boolean;
  /** True if the stream is compressed, and the first byte of its content may be that of JSON. */
  readonly mayBeDifferenced: boolean;
  /** Bytes of work, summed over all ends that were tried. */
  readonly bytes: number;
}

/**
 * Finds every stream in the bytes of a PDF, including unreferenced streams, streams of earlier
 * revisions and unattached files. Never trusts stated lengths and filters, which can mislead.
 * Recognises compressed data by its first bytes. Each keyword `stream` begins a stream of its own.
 * `text` is the same bytes as Latin-1.
 */
export async function* streamsInBytes(
  pdf: Bytes,
  text: string,
  maxBytes: number,
): AsyncGenerator<StreamInBytes> {
  for (const { keyword, start } of startsIn(text)) {
    const length = statedLength(pdf, text, keyword);
    const isPacked = isZlib(pdf, start);
    const read = isPacked ? inflate : readPlain;
    let best: Part | null = null;
    let [bytes, last] = [0, start];
    for (const end of endsOf(text, start, length, maxBytes)) {
      const found = await read(pdf.subarray(start, end), maxBytes);
      bytes +=
        (isPacked ? end - start : 0) +
        (found.isWhole ? (found.content?.length ?? maxBytes) : maxBytes);
      if (best === null || found.isWhole) [best, last] = [found, end];
      if (found.isWhole) break;
    }
    const content = best?.content ?? null;
    const isTooLarge = best?.isWhole === true && content === null;
    const isPlain = !(isPacked && (isTooLarge || (content !== null && mayBePredicted(content))));
    const [first] = content ?? [];
    const mayBeDifferenced = isPacked && first !== undefined && beginsAsJson(Uint8Array.of(first));
    const isWhole = best?.isWhole ?? !isPacked;
    yield { start, end: last, content, isWhole, isPlain, mayBeDifferenced, bytes };
  }
}

/** Lenient programs skip the rest of the keyword's line, or read it as the first bytes. */
function* startsIn(text: string) {
  for (const { 0: line, index } of text.matchAll(/\bstream[^\r\n]*(?:\r\n|\n|\r|$)/g)) {
    let keyword = index;
    for (const { 0: opening, index: at } of line.matchAll(opened)) {
      keyword = index + at;
      const start = keyword + opening.length;
      if (!/[\r\n]/.test(text[start] ?? '')) yield { keyword, start };
    }
    yield { keyword, start: index + line.length };
  }
}

const opened = new RegExp(`\\bstream(?:(?![\\r\\n])[${blank}])*`, 'g');

/** How the dictionaries of a PDF say that its streams are packed. */
interface Packing {
  /** True if a stream may have a filter, or parameters of a filter, that are not searched. */
  readonly isUnknown: boolean;
  /**
   * True if a stream may be predicted as TIFF images are: as differences to the byte before, of
   * which the first is the byte itself (ISO 32000-1, 7.4.4.4).
   */
  readonly isDifferenced: boolean;
}

/** Reads the whole file, because a dictionary can hide its beginning. */
export function packingIn(text: string): Packing {
  const plain = text.replace(/#([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const isDifferenced = unknownPredictor.test(plain);
  const isUnknown = unknownFilter.test(plain) || (isDifferenced && unknownBits.test(plain));
  return { isUnknown, isDifferenced };
}

const space = `[${blank}]*`;

/**
 * All but zlib compression, an image, the handler of a signature, and a dictionary, which Acrobat writes
 * about that handler. Also parameters outside the dictionary of the stream, even if a vertical tab,
 * which is no white space, is before them.
 */
const unknownFilter = new RegExp(
  `/Filter\\b(?!${space}(?:\\[${space}/(?:Flate|DCT|JPX)Decode${space}\\]|<<|` +
    `/(?:(?:Flate|DCT|JPX)Decode|\\w+\\.[\\w.]+)(?![^${blank}/<>[\\]()%])))|` +
    `/(?:DecodeParms|DP)\\b[${blank}[]*[\\d+%\\v]`,
);

/** All but no prediction (1), and prediction as of PNG images (10 to 15). */
const unknownPredictor = entryExcept('Predictor', '1[0-5]?');

/** All but whole bytes: the first difference of shorter samples is not a whole byte. */
const unknownBits = entryExcept('(?:BitsPerComponent|BPC)', '(?:8|16)');

/** An entry whose value is another one, or a reference. */
function entryExcept(key: string, values: string): RegExp {
  return new RegExp(`/${key}\\b(?!${space}${values}${space}(?:/|>>))`);
}

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
/** Budget for reading one dictionary, enough for some 50 entries. */
const dictionaryWork = 4 * maxDictionary;

/** The length in the dictionary before the keyword; null if it is damaged, or in another object. */
function statedLength(pdf: Bytes, text: string, keyword: number): number | null {
  const before = text.slice(Math.max(0, keyword - maxDictionary), keyword);
  const [dictionary = ''] = before.split(head).slice(-1);
  const parser = new PdfParser(
    pdf.subarray(0, keyword),
    keyword - dictionary.length,
    new Budget(dictionaryWork),
  );
  try {
    const value = parser.value();
    return isDictionary(value) ? asCount(value.get('Length')) : null;
  } catch (error) {
    if (error instanceof UnreadablePdf) return null;
    throw error;
  }
}

const head = new RegExp(`[${blank}]obj`);

/** Maximum number of keywords `endstream` to try as the end of one stream. */
const maxEnds = 8;

/** Possible ends of a stream: its stated length, or one of the next keywords `endstream`. */
function* endsOf(text: string, start: number, length: number | null, maxBytes: number) {
  const stated = start + (length ?? 0);
  if (length !== null && streamEnd.test(text.slice(stated, stated + 11))) {
    const [counted = ''] = /(?:\r?\n)?$/.exec(text.slice(stated - 2, stated)) ?? [];
    for (let extra = 0; extra <= counted.length; extra += 1) yield stated - extra;
  }
  const near = text.slice(start, start + 2 * maxBytes);
  let at = near.indexOf('endstream');
  for (let ends = 0; at >= 0 && ends < maxEnds; ends += 1) {
    const [between = ''] = betweenEnd.exec(near.slice(Math.max(0, at - 4), at)) ?? [];
    for (let extra = 0; extra <= between.length; extra += 1) yield start + at - extra;
    at = near.indexOf('endstream', at + 1);
  }
}

const betweenEnd = new RegExp(`[${blank}]{0,4}$`);

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
