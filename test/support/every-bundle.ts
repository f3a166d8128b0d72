import { constants, inflateSync } from 'node:zlib';

/**
 * Every bundle that any reader could take out of the bytes of a PDF, found by trying: whatever unpacks
 * from any byte on, and whatever stands between a beginning and an end of a stream. Shares nothing with the verifier.
 */
export function everyBundle(pdf: Buffer): ReadonlySet<string> {
  const file = pdf.toString('latin1');
  const starts = [...file.matchAll(/\bstream[^\r\n]*[\r\n]+/g)].map(
    (at) => at.index + at[0].length,
  );
  const ends = [...file.matchAll(/endstream/g)].map(({ index }) => index);
  const pieces = starts.flatMap((start) => ends.map((end) => pdf.subarray(start, end)));
  const texts = pieces.map((piece) => piece.toString('utf8'));
  for (let at = 0; at + 1 < pdf.length; at += 1) {
    const isHeader = (pdf[at] ?? 0) % 16 === 8 && pdf.readUInt16BE(at) % 31 === 0;
    if (isHeader) texts.push(unpacked(pdf.subarray(at)).toString('utf8'));
  }
  return new Set(texts.map((text) => text.trim()).filter(isBundle));
}

/** As much as there is. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1_000_000 });
  } catch {
    return Buffer.alloc(0);
  }
}

function isBundle(text: string): boolean {
  try {
    return JSON.parse(text).format === 'proofmark/bundle';
  } catch {
    return false;
  }
}
