import { isExactNumber } from './exact-number.ts';
import { type Fault, faultWithin, maxDepth } from './json-value.ts';

/**
 * Looks in JSON text, which is valid, for what `JSON.parse` changes without a word: an object with
 * two members of one name, of which it keeps the last, and numbers that a double does not hold as
 * they are written (`isExactNumber`). Text that is nested more than `maxDepth` levels below its
 * outermost value is a fault too. Null if there is none.
 */
export function findInexact(text: string): Fault | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const top = open.at(-1);
    const character = text.charCodeAt(at);
    if (character === quote) {
      const end = endOfString(text, at);
      if (top?.names && top.isNameNext) {
        top.place = decode(text.slice(at, end + 1));
        if (top.names.has(top.place)) return tell(open, 'is there twice');
        top.names.add(top.place);
        top.isNameNext = false;
      }
      at = end;
    } else if (character === comma && top) {
      if (typeof top.place === 'number') top.place += 1;
      top.isNameNext = true;
    } else if (character === brace || character === bracket) {
      if (open.length > maxDepth) return tell(open, tooDeep);
      open.push(
        character === brace
          ? { names: new Set(), isNameNext: true, place: '' }
          : { names: null, isNameNext: false, place: 0 },
      );
    } else if (character === closingBrace || character === closingBracket) {
      open.pop();
    } else if (isOfNumber(character)) {
      const end = endOfNumber(text, at);
      if (!isExactNumber(text.slice(at, end))) return tell(open, inexact);
      at = end - 1;
    }
  }
  return null;
}

/** An object (`names` are those seen) or an array (null) that is being read. */
interface Open {
  readonly names: Set<string> | null;
  isNameNext: boolean;
  /** The name, or the index, of the member that is being read. */
  place: string | number;
}

const [quote, comma, brace, bracket, closingBrace, closingBracket, backslash, minus, zero, nine] =
  Array.from('",{[}]\\-09', (character) => character.charCodeAt(0));
const tooDeep = `must not be nested deeper than ${maxDepth} levels`;
const inexact = 'is a number that JSON readers do not keep exactly; send it as a string';

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; text.charCodeAt(at) !== quote; at += 1) if (text.charCodeAt(at) === backslash) at += 1;
  return at;
}

function decode(string: string): string {
  return string.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
}

function isOfNumber(character: number): boolean {
  return character === minus || (character >= (zero ?? 0) && character <= (nine ?? 0));
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (/[\d.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
}

function tell(open: readonly Open[], why: string): Fault {
  return open.reduceRight<Fault>((fault, { place }) => faultWithin(place, fault), {
    path: [],
    why,
  });
}
