import type { Budget } from './budget.ts';
import type { Bytes } from './inflate.ts';
import { latin1 } from './latin1.ts';
import { PdfParser } from './pdf-parser.ts';
import { asCount, isDictionary, type PdfDictionary, type PdfValue } from './pdf-value.ts';
import { readObject } from './read-object.ts';
import { unpackStream } from './unpack-stream.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** Location of an object: a byte of the file, or an entry of an object stream; null if deleted. */
export type ObjectLocation =
  | { readonly at: number }
  | { readonly inStream: number; readonly index: number }
  | null;

export interface CrossReferences {
  readonly locations: ReadonlyMap<number, ObjectLocation>;
  /** Trailer of the newest revision of the file. */
  readonly trailer: PdfDictionary;
}

/**
 * Reads the cross-reference sections of a file, newest first (ISO 32000-1, 7.5.4, 7.5.8): tables,
 * streams, or both. The newest entry for an object counts.
 */
export async function readCrossReferences(pdf: Bytes, budget: Budget): Promise<CrossReferences> {
  const locations = new Map<number, ObjectLocation>();
  const seen = new Set<number>();
  let newest: PdfDictionary | null = null;
  for (let at: number | null = lastSection(pdf, budget); at !== null && !seen.has(at); ) {
    seen.add(at);
    const { trailer, found } = await readSection(pdf, at, budget);
    newest ??= trailer;
    if (trailer.has('Encrypt')) throw new UnreadablePdf('the file is encrypted');
    // For older readers, a table marks objects as free that its cross-reference stream locates.
    const beside = placeIn(trailer, 'XRefStm');
    if (beside !== null && !seen.has(beside)) {
      seen.add(beside);
      const further = await readSection(pdf, beside, budget);
      for (const [number, location] of further.found) {
        if ((found.get(number) ?? null) === null) found.set(number, location);
      }
    }
    for (const [number, location] of found) addLocation(locations, number, location);
    at = placeIn(trailer, 'Prev');
  }
  if (newest === null) throw new UnreadablePdf('its trailer is missing');
  return { locations, trailer: newest };
}

/** A byte of the file that a trailer names; null if it names none. */
function placeIn(trailer: PdfDictionary, key: string): number | null {
  const value = trailer.get(key) ?? null;
  const place = asCount(value);
  if (value !== null && place === null) throw damagedTables();
  return place;
}

/** Length of the end of a file that is searched for the position of its newest section. */
const tailBytes = 1_024;

function lastSection(pdf: Bytes, budget: Budget): number {
  const word = 'startxref';
  const isPdf = latin1(pdf.subarray(0, 1_024)).includes('%PDF-');
  const tail = pdf.subarray(-tailBytes);
  const found = latin1(tail).lastIndexOf(word);
  if (found < 0 || !isPdf)
    throw new UnreadablePdf('the end of the file is missing, or it is not a PDF');
  return new PdfParser(tail, found + word.length, budget).count();
}

/** Locations by the numbers of the objects. The first entry of a section for an object counts. */
type Found = Map<number, ObjectLocation>;

interface Section {
  readonly trailer: PdfDictionary;
  readonly found: Found;
}

async function readSection(pdf: Bytes, at: number, budget: Budget): Promise<Section> {
  const parser = new PdfParser(pdf, at, budget);
  return parser.passes('xref') ? readTable(parser) : readStreamSection(pdf, at, budget);
}

function readTable(parser: PdfParser): Section {
  const found: Found = new Map();
  while (!parser.passes('trailer')) {
    const first = parser.count();
    const count = parser.count();
    for (let number = first; number < first + count; number += 1) {
      const at = parser.count(10, 10);
      parser.count(5, 5);
      if (parser.passes('n')) add(found, number, { at });
      else if (parser.passes('f')) add(found, number, null);
      else throw damagedTables();
    }
  }
  const trailer = parser.value();
  if (!isDictionary(trailer)) throw new UnreadablePdf('its trailer is missing');
  return { trailer, found };
}

/** Rows have at most this many bytes in each of their three numbers. */
const maxWidth = 6;
/** Approximate memory of a row. */
const rowBytes = 32;

async function readStreamSection(pdf: Bytes, at: number, budget: Budget): Promise<Section> {
  // The length of this stream must be direct: no object can be located before the section is read.
  const { stream } = await readObject(pdf, at, { budget, resolve: (value) => value });
  if (stream === null) throw new UnreadablePdf('its cross-reference stream is missing');
  const { dictionary } = stream;
  const widths = counts(dictionary.get('W') ?? null);
  const ranges = counts(dictionary.get('Index') ?? [0, dictionary.get('Size') ?? null]);
  const [type = 0, second = 0, third = 0] = widths;
  const width = type + second + third;
  const isUsual = widths.length === 3 && widths.every((each) => each <= maxWidth) && width > 0;
  if (!isUsual || ranges.length % 2 > 0) throw damagedTables();
  const rows = await unpackStream(stream, budget, { isTable: true });
  const found: Found = new Map();
  let from = 0;
  for (let range = 0; range < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range, range + 2);
    if (from + count * width > rows.length) throw damagedTables();
    budget.spend(rowBytes * count);
    for (let number = first; number < first + count; number += 1) {
      const kind = type === 0 ? 1 : numberAt(rows, from, type);
      const a = numberAt(rows, from + type, second);
      const b = numberAt(rows, from + type + second, third);
      if (kind > 2) throw damagedTables();
      add(found, number, kind === 0 ? null : kind === 1 ? { at: a } : { inStream: a, index: b });
      from += width;
    }
  }
  if (from !== rows.length) throw damagedTables();
  return { trailer: dictionary, found };
}

/** Big-endian number of up to six bytes; 0 if the width is 0. */
function numberAt(bytes: Uint8Array, at: number, width: number): number {
  return bytes.subarray(at, at + width).reduce((number, byte) => 256 * number + byte, 0);
}

const maxObjects = 100_000;

function add(found: Found, number: number, location: ObjectLocation): void {
  if (found.size >= maxObjects) throw new UnreadablePdf(`it has more than ${maxObjects} objects`);
  if (!found.has(number)) found.set(number, location);
}

function addLocation(
  locations: Map<number, ObjectLocation>,
  number: number,
  location: ObjectLocation,
): void {
  if (locations.size >= maxObjects)
    throw new UnreadablePdf(`it has more than ${maxObjects} objects`);
  if (!locations.has(number)) locations.set(number, location);
}

/** The members of a list of non-negative integers. */
function counts(value: PdfValue): number[] {
  if (!Array.isArray(value)) throw damagedTables();
  return value.map((each: PdfValue) => {
    const count = asCount(each);
    if (count === null) throw damagedTables();
    return count;
  });
}

function damagedTables(): UnreadablePdf {
  return new UnreadablePdf('its cross-reference table is damaged');
}
