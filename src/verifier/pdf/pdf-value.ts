/**
 * White space (ISO 32000-1, 7.2.2), also for classes of regular expressions. `\s` has other
 * characters, and differs between languages.
 */
export const blank = '\0\t\n\f\r ';

/** PDF objects (ISO 32000-1, 7.3). Strings are bytes. */
export type PdfValue =
  | null
  | boolean
  | number
  | Uint8Array
  | PdfName
  | PdfReference
  | PdfDictionary
  | readonly PdfValue[];

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

export class PdfName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Reference to an indirect object, without its generation: a newer one replaces an older one. */
export class PdfReference {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export function isName(value: PdfValue | undefined, name: string): boolean {
  return value instanceof PdfName && value.name === name;
}

/** A non-negative integer; null for any other value. */
export function asCount(value: PdfValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
