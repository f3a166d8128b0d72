import { isExactNumber } from './exact-number.ts';
import { type JsonFault, maxDepth, prefixFault } from './json-value.ts';

/**
 * Finds values in valid JSON text that `JSON.parse` changes silently. One is an object with two
 * members of one name, of which it keeps the last. The other is a number that a double does not
 * represent exactly (`isExactNumber`). Text nested more than `levels` levels below its outermost
 * value is also a fault. Returns null if there is none.
 */
export function findInexact(text: string, levels: number = maxDepth): JsonFault | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const top = open.at(-1);
    const character = text.charCodeAt(at);
    if (character === quote) {
      const end = endOfString(text, at);
      if (top?.names && top.isNameNext) {
        top.member = decode(text.slice(at, end + 1));
        if (top.names.has(top.member))
          return faultAt(open, 'appears twice in the same object; send it once');
        top.names.add(top.member);
        top.isNameNext = false;
      }
      at = end;
    } else if (character === comma && top) {
      if (typeof top.member === 'number') top.member += 1;
      top.isNameNext = true;
    } else if (character === brace || character === bracket) {
      if (open.length > levels) return faultAt(open, tooDeepFor(levels));
      open.push(
        character === brace
          ? { names: new Set(), isNameNext: true, member: '' }
          : { names: null, isNameNext: false, member: 0 },
      );
    } else if (character === closingBrace || character === closingBracket) {
      open.pop();
    } else if (isOfNumber(character)) {
      const end = endOfNumber(text, at);
      if (!isExactNumber(text.slice(at, end))) return faultAt(open, inexact);
      at = end - 1;
    }
  }
  return null;
}

/** An object (`names` are the members seen) or an array (`names` is null) that is being read. */
interface Open {
  readonly names: Set<string> | null;
  isNameNext: boolean;
  /** Name or index of the member that is being read. */
  member: string | number;
}

const [quote, comma, brace, bracket, closingBrace, closingBracket, backslash, minus, zero, nine] =
  Array.from('",{[}]\\-09', (character) => character.charCodeAt(0));
const tooDeepFor = (levels: number) => `must not be nested deeper than ${levels} levels`;
const inexact = 'is a number that a double cannot hold exactly; send it as a string';

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

function faultAt(open: readonly Open[], why: string): JsonFault {
  return open.reduceRight<JsonFault>((fault, { member }) => prefixFault(member, fault), {
    path: [],
    why,
  });
}
