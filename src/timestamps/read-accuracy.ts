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
 * later than its time (RFC 3161, 2.4.2). Null if it states none. A negative number counts as a large
 * one. Throws `BadDer` for other bytes than DER.
 */
export function readAccuracy(info: Uint8Array): number | null {
  const accuracy = elementsIn(demandDer(info).content)[afterTime];
  if (accuracy?.tag !== sequence) return null;
  return elementsIn(accuracy.content).reduce(
    (sum, { tag, content }) => sum + (units.get(tag) ?? 0) * unsigned(content),
    0,
  );
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => 256 * number + byte, 0);
}
