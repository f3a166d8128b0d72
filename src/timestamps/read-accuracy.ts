import { demandDer, elementsIn } from '../verifier/timestamp/der.ts';

/** Index of the first element after `genTime`. */
const afterTime = 5;
const sequence = 0x30;
/** Microseconds in a unit, by the tag of its number: seconds, milliseconds, microseconds. */
const units: ReadonlyMap<number, number> = new Map([
  [0x02, 1_000_000],
  [0x80, 1_000],
  [0x81, 1],
]);

/**
 * Accuracy that a TSTInfo (DER) states, in microseconds: the true time is at most so much earlier or
 * later than its time (RFC 3161, 2.4.2). Null if it states none; Infinity for a negative number, and
 * for one of more than six bytes. Throws `BadDer` for other bytes than DER.
 */
export function readAccuracy(info: Uint8Array): number | null {
  const accuracy = elementsIn(demandDer(info).content)[afterTime];
  if (accuracy?.tag !== sequence) return null;
  return elementsIn(accuracy.content).reduce((sum, { tag, content }) => {
    const unit = units.get(tag);
    return unit === undefined ? sum : sum + unit * sizeOf(content);
  }, 0);
}

const mostBytes = 6;

/** Value of an INTEGER in big-endian two's complement. */
function sizeOf(bytes: Uint8Array): number {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  if (isNegative || bytes.length > mostBytes) return Number.POSITIVE_INFINITY;
  return bytes.reduce((number, byte) => 256 * number + byte, 0);
}
