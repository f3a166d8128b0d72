import type { Budget } from './budget.ts';
import { type Bytes, inflate } from './inflate.ts';
import { asCount, isDictionary, isName, type PdfDictionary, type PdfValue } from './pdf-value.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** An encoded stream of the file. */
export interface PdfStream {
  readonly dictionary: PdfDictionary;
  readonly packed: Bytes;
}

/**
 * Decodes a stream. Supports no filter except FlateDecode, the usual filter of the streams read
 * here. Throws `UnreadablePdf` for other filters, and for more than `maxBytes`.
 */
export async function unpackStream(
  stream: PdfStream,
  maxBytes: number,
  budget: Budget,
): Promise<Bytes> {
  const filters = listOf(stream.dictionary.get('Filter'));
  const [parameters] = listOf(stream.dictionary.get('DecodeParms'));
  if (filters.length === 0) return limited(stream.packed, maxBytes);
  if (filters.length > 1 || !isName(filters[0], 'FlateDecode')) {
    throw new UnreadablePdf('a stream has a filter that this verifier does not support');
  }
  const unpacked = await inflated(stream.packed, Math.min(maxBytes, budget.left));
  budget.spend(unpacked.length + stream.packed.length);
  return isDictionary(parameters) ? unpredict(unpacked, parameters) : unpacked;
}

function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as PdfValue];
}

function limited(bytes: Bytes, maxBytes: number): Bytes {
  if (bytes.length > maxBytes) throw new UnreadablePdf(`a stream is larger than ${maxBytes} bytes`);
  return bytes;
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
function unpredict(bytes: Bytes, parameters: PdfDictionary): Bytes {
  const predictor = asCount(parameters.get('Predictor')) ?? 1;
  if (predictor === 1) return bytes;
  const columns = asCount(parameters.get('Columns')) ?? 1;
  if (predictor < 10 || columns < 1 || columns > 1_000) {
    throw new UnreadablePdf('a stream has a predictor that this verifier does not support');
  }
  const rows = Math.floor(bytes.length / (columns + 1));
  const out = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (columns + 1);
    const filter = bytes[from];
    if (filter !== 0 && filter !== 2) {
      throw new UnreadablePdf('a stream has a predictor that this verifier does not support');
    }
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const above = filter === 2 && row > 0 ? (out[at - columns] ?? 0) : 0;
      out[at] = (bytes[from + 1 + column] ?? 0) + above;
    }
  }
  return out;
}
