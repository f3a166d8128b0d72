import type { Budget } from './budget.ts';
import type { Bytes } from './inflate.ts';
import { latin1 } from './latin1.ts';
import { PdfParser } from './pdf-parser.ts';
import { asCount, blank, isDictionary, type PdfValue } from './pdf-value.ts';
import type { PdfStream } from './unpack-stream.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** An indirect object of the file. `stream` is null if the object is not a stream. */
export interface PdfObject {
  readonly number: number;
  readonly value: PdfValue;
  readonly stream: PdfStream | null;
}

/**
 * Reads the object at a position of the file (ISO 32000-1, 7.3.10). `resolve` follows a reference,
 * because a stream may keep its length in another object.
 */
export async function readObject(
  pdf: Bytes,
  at: number,
  options: {
    readonly budget: Budget;
    readonly resolve: (value: PdfValue) => PdfValue | Promise<PdfValue>;
  },
): Promise<PdfObject> {
  const parser = new PdfParser(pdf, at, options.budget);
  const number = parser.count();
  parser.count(5);
  if (!parser.passes('obj')) throw new UnreadablePdf(`there is no object at byte ${at}`);
  const value = parser.value();
  if (!isDictionary(value) || !parser.passes('stream')) {
    if (!parser.passes('endobj')) throw new UnreadablePdf('the end of an object is missing');
    return { number, value, stream: null };
  }
  parser.passLineBreak();
  const length = asCount(await options.resolve(value.get('Length') ?? null));
  const end = parser.at + (length ?? 0);
  if (length === null || end > pdf.length) {
    throw new UnreadablePdf('the stated length of a stream is missing or too large');
  }
  const packed = pdf.subarray(parser.at, end);
  if (!streamEnd.test(latin1(pdf.subarray(end, end + 11)))) {
    throw new UnreadablePdf('a stream does not have its stated length');
  }
  return { number, value, stream: { dictionary: value, packed } };
}

/** End of a stream, after a line break at most. */
export const streamEnd = new RegExp(`^[${blank}]{0,2}endstream`);
