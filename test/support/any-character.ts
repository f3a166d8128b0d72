import fc from 'fast-check';

const [firstSurrogate, afterSurrogates, afterLast] = [0xd800, 0xe000, 0x110000];
const surrogates = afterSurrogates - firstSurrogate;

/**
 * One character of any code point, a unit for `fc.string`. The same characters as of the unit `binary`, whose
 * first use takes fast-check seconds.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: afterLast - surrogates - 1 })
  .map(characterOf, placeOf);

function characterOf(place: number): string {
  return String.fromCodePoint(place < firstSurrogate ? place : place + surrogates);
}

/** Throws if the value is not one character. */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || value !== String.fromCodePoint(code))
    throw new TypeError('no character');
  if (code >= firstSurrogate && code < afterSurrogates) throw new TypeError('a surrogate');
  return code < firstSurrogate ? code : code - surrogates;
}
