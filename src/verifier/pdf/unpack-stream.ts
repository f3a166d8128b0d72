import type { Budget } from './budget.ts';
import { type Bytes, inflate } from './inflate.ts';
import { asCount, isDictionary, isName, type PdfDictionary, type PdfValue } from './pdf-value.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** An encoded stream of the file. */
export interface PdfStream {
  readonly dictionary: PdfDictionary;
  readonly packed: Bytes;
}

/** Limit of a decoded stream. The largest bundle has as many bytes. */
const maxStreamBytes = 1024 * 1024;

/**
 * Decodes a stream. Supports no filter except FlateDecode, the usual filter of the streams read
 * here, and predictors only if the stream `isTable`: cross-references or packed objects. Throws
 * `UnreadablePdf` for other filters and parameters, and for a stream that is too large.
 */
export async function unpackStream(
  stream: PdfStream,
  budget: Budget,
  { isTable }: { readonly isTable: boolean },
): Promise<Bytes> {
  const filters = listOf(stream.dictionary.get('Filter'));
  if (filters.length === 0) {
    if (stream.packed.length <= maxStreamBytes) return stream.packed;
    throw new UnreadablePdf(`a stream is larger than ${maxStreamBytes} bytes`);
  }
  if (filters.length > 1 || !isName(filters[0], 'FlateDecode')) {
    throw new UnreadablePdf('a stream has a filter that this verifier does not support');
  }
  const predicted = predictionOf(stream.dictionary.get('DecodeParms') ?? null);
  if (predicted !== null && !isTable) throw new UnreadablePdf(otherPredictor);
  const unpacked = await inflated(stream.packed, Math.min(maxStreamBytes, budget.left));
  budget.spend(unpacked.length + stream.packed.length);
  return predicted === null ? unpacked : unpredict(unpacked, predicted.columns);
}

function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as PdfValue];
}

const otherPredictor = 'a stream has a predictor that this verifier does not support';
const maxColumns = 99;

/** Width of the rows of PNG prediction; null if the stream is not predicted. */
function predictionOf(parameters: PdfValue): { readonly columns: number } | null {
  const [given, more] = Array.isArray(parameters) ? parameters : [parameters];
  if (given === null && more === undefined) return null;
  if (!isDictionary(given) || more !== undefined) throw new UnreadablePdf(otherPredictor);
  const predictor = given.get('Predictor') ?? 1;
  if (predictor === 1) return null;
  const [kind, columns] = [asCount(predictor) ?? 0, asCount(given.get('Columns')) ?? 0];
  const isUsual = kind >= 10 && kind <= 15 && columns >= 1 && columns <= maxColumns;
  if (!isUsual) throw new UnreadablePdf(otherPredictor);
  return { columns };
}

/** Some writers count the line break in front of `endstream` as part of the stream. */
async function inflated(packed: Bytes, maxBytes: number): Promise<Bytes> {
  const lineBreak = packed.at(-1) !== 0x0a ? 0 : packed.at(-2) === 0x0d ? 2 : 1;
  // A CR may also be the last byte of the data, in front of a counted LF.
  for (const extra of [0, 1, 2].slice(0, lineBreak + 1)) {
    const { content, isWhole } = await inflate(packed.subarray(0, packed.length - extra), maxBytes);
    if (content !== null && isWhole) return content;
  }
  throw new UnreadablePdf('a stream is damaged or too large');
}

/**
 * Undoes PNG prediction "up" or "none", which writers use for cross-reference streams (ISO 32000-1,
 * 7.4.4.4).
 */
function unpredict(bytes: Bytes, columns: number): Bytes {
  const rows = bytes.length / (columns + 1);
  if (!Number.isInteger(rows)) throw new UnreadablePdf('the rows of a stream are incomplete');
  const out = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (columns + 1);
    const filter = bytes[from];
    if (filter !== 0 && filter !== 2) throw new UnreadablePdf(otherPredictor);
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const above = filter === 2 && row > 0 ? (out[at - columns] ?? 0) : 0;
      out[at] = (bytes[from + 1 + column] ?? 0) + above;
    }
  }
  return out;
}
