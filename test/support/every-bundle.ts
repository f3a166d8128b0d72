import { constants, inflateSync } from 'node:zlib';

/**
 * Finds by brute force every bundle that any reader could take out of a PDF. It unpacks from every byte on,
 * and reads between every beginning and end of a stream. It shares no code with the verifier.
 */
export function everyBundle(pdf: Buffer): ReadonlySet<string> {
  const file = pdf.toString('latin1');
  const starts = [...file.matchAll(/\bstream[^\r\n]*[\r\n]+/g)].map(
    (at) => at.index + at[0].length,
  );
  const ends = [...file.matchAll(/endstream/g)].map(({ index }) => index);
  const pieces = starts
    .filter((start) => mayBeginObject(pdf.subarray(start)))
    .flatMap((start) => ends.map((end) => pdf.subarray(start, end)));
  for (let at = 0; at + 1 < pdf.length; at += 1) {
    const isHeader = (pdf[at] ?? 0) % 16 === 8 && pdf.readUInt16BE(at) % 31 === 0;
    if (isHeader) pieces.push(unpacked(pdf.subarray(at)));
  }
  const texts = pieces.filter(mayBeginObject).map((piece) => piece.toString('utf8').trim());
  return new Set(texts.filter(isBundle));
}

const spaces = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);

/** False if the text begins with anything but `{` behind white space, which may have bytes beyond ASCII. */
function mayBeginObject(bytes: Buffer): boolean {
  return bytes[bytes.findIndex((byte) => byte < 0x80 && !spaces.has(byte))] === 0x7b;
}

/** Unpacks as much as possible of truncated data. */
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
