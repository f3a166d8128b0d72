import type { Budget } from './budget.ts';
import { PdfParser } from './pdf-parser.ts';
import { asCount, type PdfDictionary } from './pdf-value.ts';
import type { PdfObject } from './read-object.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** Objects of one object stream (ISO 32000-1, 7.5.7). */
export class PackedObjects {
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  readonly #entries: { readonly number: number; readonly at: number }[] = [];

  constructor(bytes: Uint8Array, dictionary: PdfDictionary, budget: Budget) {
    this.#bytes = bytes;
    this.#budget = budget;
    const count = asCount(dictionary.get('N'));
    const first = asCount(dictionary.get('First'));
    if (count === null || first === null) throw new UnreadablePdf('an object stream is damaged');
    const parser = new PdfParser(bytes, 0, budget);
    const numbers = new Set<number>();
    for (let index = 0; index < count; index += 1) {
      const number = parser.count();
      if (numbers.has(number)) throw new UnreadablePdf('an object stream has an object twice');
      numbers.add(number);
      this.#entries.push({ number, at: first + parser.count() });
    }
  }

  /** The object at this index. The caller compares its number. */
  object(index: number): PdfObject {
    const entry = this.#entries[index];
    if (entry === undefined) throw new UnreadablePdf('an object stream is damaged');
    const value = new PdfParser(this.#bytes, entry.at, this.#budget).value();
    return { number: entry.number, value, stream: null };
  }
}
