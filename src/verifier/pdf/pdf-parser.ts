import type { Budget } from './budget.ts';
import { latin1 } from './latin1.ts';
import { blank, isDictionary, PdfName, PdfReference, type PdfValue } from './pdf-value.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/**
 * Limit of lists and dictionaries around a value. No certificate has deeper values, which could
 * exhaust the stack.
 */
const maxDepth = 49;
/** Limit of brackets around a character of a string. */
const maxBrackets = 9;
/** Approximate memory of a value. */
const valueBytes = 64;
const dictionaryBytes = 256;

/** Reads values and keywords from bytes in sequence (ISO 32000-1, 7.2 and 7.3). */
export class PdfParser {
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  #at: number;

  constructor(bytes: Uint8Array, at: number, budget: Budget) {
    if (at > bytes.length) throw new UnreadablePdf('it refers to data after the end of the file');
    this.#bytes = bytes;
    this.#at = at;
    this.#budget = budget;
  }

  get at(): number {
    return this.#at;
  }

  /** The next value. Throws `UnreadablePdf` if there is none. */
  value(depth = 0): PdfValue {
    if (depth > maxDepth)
      throw new UnreadablePdf(`its values are nested more than ${maxDepth} levels deep`);
    this.#skipBlank();
    const start = this.#at;
    const value = this.#valueOf(this.#peek(), depth);
    this.#budget.spend(isDictionary(value) ? dictionaryBytes : valueBytes);
    if (this.#at === start) throw new UnreadablePdf(`there is no value at byte ${start}`);
    return value;
  }

  /** Consumes the keyword and returns true if it comes next. */
  passes(word: string): boolean {
    this.#skipBlank();
    const end = this.#at + word.length;
    if (!this.#isAt(word)) return false;
    if (end < this.#bytes.length && isRegular(this.#bytes[end])) return false;
    this.#at = end;
    return true;
  }

  /**
   * Reads a non-negative integer without a sign, of so many digits. Throws `UnreadablePdf` if another
   * value comes next.
   */
  count(most = 10, least = 1): number {
    this.#skipBlank();
    const text = this.#regular();
    if (!/^\d+$/.test(text) || text.length < least || text.length > most)
      throw new UnreadablePdf(`there is no whole number near byte ${this.#at}`);
    return Number(text);
  }

  /** Skips the line break after the keyword `stream`, which is LF, or CR and LF (ISO 32000-1, 7.3.8.1). */
  passLineBreak(): void {
    if (this.#peek() === 0x0d) this.#at += 1;
    if (this.#peek() !== 0x0a) throw new UnreadablePdf('the line break before a stream is missing');
    this.#at += 1;
  }

  #valueOf(first: number, depth: number): PdfValue {
    switch (first) {
      case 0x2f:
        return this.#name();
      case 0x28:
        return this.#literalString();
      case 0x5b:
        return this.#array(depth);
      case 0x3c:
        return this.#bytes[this.#at + 1] === 0x3c ? this.#dictionary(depth) : this.#hexString();
      default:
        return this.#numberOrWord(first);
    }
  }

  #name(): PdfName {
    this.#at += 1;
    const text = this.#regular();
    // An escape gives the character that `latin1` has for the byte.
    const plain = text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) =>
      latin1(Uint8Array.of(Number.parseInt(hex, 16))),
    );
    return new PdfName(plain);
  }

  #array(depth: number): readonly PdfValue[] {
    this.#at += 1;
    const values: PdfValue[] = [];
    while (!this.#ends(']')) values.push(this.value(depth + 1));
    return values;
  }

  #dictionary(depth: number): PdfValue {
    this.#at += 2;
    const members = new Map<string, PdfValue>();
    while (!this.#ends('>>')) {
      const key = this.value(depth + 1);
      if (!(key instanceof PdfName)) throw new UnreadablePdf('a key in a dictionary is not a name');
      if (members.has(key.name)) throw new UnreadablePdf('a dictionary has an entry twice');
      members.set(key.name, this.value(depth + 1));
    }
    return members;
  }

  #ends(mark: ']' | '>>'): boolean {
    this.#skipBlank();
    const end = this.#at + mark.length;
    if (!this.#isAt(mark)) return false;
    this.#at = end;
    return true;
  }

  /** Finds the end of a string. Leaves its escapes undecoded, because no caller needs them. */
  #literalString(): Uint8Array {
    const start = this.#at + 1;
    let open = 0;
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x5c) this.#at += 1;
      else if (byte === 0x28) open += 1;
      else if (byte === 0x29) open -= 1;
      if (open === 0) break;
      if (open > maxBrackets)
        throw new UnreadablePdf(`brackets are nested more than ${maxBrackets} levels deep`);
    }
    return this.#string(start, this.#at);
  }

  #hexString(): Uint8Array {
    const end = this.#bytes.indexOf(0x3e, this.#at);
    const start = this.#at + 1;
    const digits = this.#string(start, end < 0 ? this.#bytes.length : end);
    if (digits.includes(0x3c)) throw new UnreadablePdf('a hexadecimal string is malformed');
    return digits;
  }

  #string(start: number, end: number): Uint8Array {
    if (end >= this.#bytes.length) throw new UnreadablePdf('the end of a string is missing');
    this.#budget.spend(end - start);
    this.#at = end + 1;
    return this.#bytes.subarray(start, end);
  }

  #numberOrWord(first: number): PdfValue {
    if (/[0-9+.-]/.test(String.fromCharCode(first))) return this.#numberOrReference();
    const start = this.#at;
    const word = this.#regular();
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    throw new UnreadablePdf(`there is no value at byte ${start}`);
  }

  #numberOrReference(): PdfValue {
    const text = this.#regular();
    const behind = this.#at;
    if (/^\d{1,10}$/.test(text)) {
      this.#skipBlank();
      if (/^\d{1,5}$/.test(this.#regular()) && this.passes('R'))
        return new PdfReference(Number(text));
    }
    this.#at = behind;
    return numberIn(text);
  }

  /** Reads a run of regular characters. */
  #regular(): string {
    const start = this.#at;
    while (this.#at < this.#bytes.length && isRegular(this.#bytes[this.#at])) this.#at += 1;
    this.#budget.spend(this.#at - start);
    return latin1(this.#bytes.subarray(start, this.#at));
  }

  #isAt(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.#bytes[this.#at + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  #skipBlank(): void {
    const start = this.#at;
    for (;;) {
      const byte = this.#peek();
      if (blanks.has(byte)) this.#at += 1;
      else if (byte === 0x25) this.#skipComment();
      else break;
    }
    this.#budget.spend(this.#at - start);
  }

  #skipComment(): void {
    while (this.#at < this.#bytes.length && !lineBreaks.has(this.#peek())) this.#at += 1;
  }

  /** The current byte; -1 after the end. */
  #peek(): number {
    return this.#bytes[this.#at] ?? -1;
  }
}

/** Integers are numbers. Others are bytes, as strings are, because no caller needs them. */
function numberIn(text: string): number | Uint8Array {
  if (/^\+?\d{1,15}$/.test(text)) return Number(text);
  if (/^[+-]?(?:\d{1,30}\.?|\d{0,30}\.\d{1,30})$/.test(text)) return new Uint8Array();
  throw new UnreadablePdf('a number is malformed');
}

const lineBreaks = new Set([0x0a, 0x0d]);
const blanks = new Set(new TextEncoder().encode(blank));
const delimiters = new Set(new TextEncoder().encode('()<>[]{}/%'));

function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && !blanks.has(byte) && !delimiters.has(byte);
}
