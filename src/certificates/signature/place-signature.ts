/** Gap for the signature of a PDF, and the bytes to sign. */
export interface SignatureGap {
  /** The PDF with its byte range, and with zeros in place of the signature. */
  readonly pdf: Buffer;
  /** All bytes except the signature and the brackets around it. */
  readonly covered: Buffer;
  /** Index of the first digit of the signature. */
  readonly start: number;
  readonly roomBytes: number;
}

const unknownRange = '[0 9999999999 9999999999 9999999999]';

/**
 * Finds the room for a signature in a rendered certificate, and writes the byte range. Throws unless
 * the PDF has exactly one place for it.
 */
export function findSignatureGap(rendered: Uint8Array, roomBytes: number): SignatureGap {
  const pdf = Buffer.from(rendered);
  const opening = onlyIndexOf(pdf, `<${'0'.repeat(2 * roomBytes)}>`);
  const end = opening + 2 * roomBytes + 2;
  const range = `[0 ${opening} ${end} ${pdf.length - end}`;
  pdf.write(`${range.padEnd(unknownRange.length - 1)}]`, onlyIndexOf(pdf, unknownRange), 'latin1');
  const covered = Buffer.concat([pdf.subarray(0, opening), pdf.subarray(end)]);
  return { pdf, covered, start: opening + 1, roomBytes };
}

/** The PDF with the signature (CMS in DER) in its place. Throws if the room is too small. */
export function placeSignature(
  { pdf, start, roomBytes }: SignatureGap,
  cms: Uint8Array,
): Uint8Array {
  if (cms.length > roomBytes) {
    throw new Error(`the signature has ${cms.length} bytes, the PDF has room for ${roomBytes}`);
  }
  const signed = new Uint8Array(pdf);
  signed.set(Buffer.from(Buffer.from(cms).toString('hex'), 'latin1'), start);
  return signed;
}

function onlyIndexOf(pdf: Buffer, text: string): number {
  const at = pdf.indexOf(text, 0, 'latin1');
  if (at < 0 || pdf.indexOf(text, at + 1, 'latin1') >= 0) {
    throw new Error('the PDF has not exactly one place for a signature');
  }
  return at;
}
