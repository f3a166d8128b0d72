import { Budget } from './budget.ts';
import {
  type CrossReferences,
  type ObjectLocation,
  readCrossReferences,
} from './cross-references.ts';
import type { Bytes } from './inflate.ts';
import { PdfParser } from './pdf-parser.ts';
import {
  asCount,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from './pdf-value.ts';
import { type PdfObject, readObject } from './read-object.ts';
import { type PdfStream, unpackStream } from './unpack-stream.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/** Budget in bytes read, decompressed or kept. Reading this much takes less than a second. */
const maxWork = 32 * 1024 * 1024;
/** Approximate memory of a list member, charged at each use of the list. */
const memberBytes = 16;
/** Limit of nested reads. In honest files, an object needs at most one other, for its length. */
const maxReading = 8;

export interface AttachedStream {
  readonly start: number;
  readonly content: Bytes;
}

/** Reads objects of an untrusted PDF. Every method throws `UnreadablePdf` on damaged data. */
export class PdfDocument {
  readonly #pdf: Bytes;
  readonly #budget: Budget;
  readonly #references: CrossReferences;
  readonly #objects = new Map<number, PdfObject>();
  readonly #packs = new Map<number, PackedObjects>();
  readonly #reading = new Set<number>();

  private constructor(pdf: Bytes, budget: Budget, references: CrossReferences) {
    this.#pdf = pdf;
    this.#budget = budget;
    this.#references = references;
  }

  static async open(pdf: Bytes): Promise<PdfDocument> {
    const budget = new Budget(maxWork);
    return new PdfDocument(pdf, budget, await readCrossReferences(pdf, budget));
  }

  async catalogue(): Promise<PdfDictionary> {
    const catalogue = await this.dictionary(this.#references.trailer.get('Root'));
    if (catalogue === null) throw new UnreadablePdf('its document catalogue is missing');
    return catalogue;
  }

  /**
   * Follows a reference to the value of its object; null if there is none. Throws `UnreadablePdf` if
   * the object is a stream: other readers may use its dictionary, or none.
   */
  async resolve(value: PdfValue | undefined): Promise<PdfValue> {
    if (!(value instanceof PdfReference)) return value ?? null;
    const object = await this.#object(value.number);
    if (object === null) return null;
    if (object.stream !== null)
      throw new UnreadablePdf('a stream is in the place of another value');
    if (object.value instanceof PdfReference) throw new UnreadablePdf('an object is a reference');
    return object.value;
  }

  async dictionary(value: PdfValue | undefined): Promise<PdfDictionary | null> {
    const resolved = await this.resolve(value);
    return isDictionary(resolved) ? resolved : null;
  }

  /** The members of a list; none if there is no list. */
  async list(value: PdfValue | undefined): Promise<readonly PdfValue[]> {
    const resolved = await this.resolve(value);
    if (resolved === null) return [];
    if (!Array.isArray(resolved))
      throw new UnreadablePdf('another value is in the place of a list');
    this.#budget.spend(memberBytes * resolved.length);
    return resolved;
  }

  /**
   * A stream and the index of its first byte in the file; null if there is no such object. Throws
   * `UnreadablePdf` if the object is not a stream: a more lenient reader may find one in it.
   */
  async stream(reference: PdfReference): Promise<AttachedStream | null> {
    const object = await this.#object(reference.number);
    if (object === null || (object.value === null && object.stream === null)) return null;
    const { stream } = object;
    if (stream === null) throw new UnreadablePdf('an attached file is not a readable stream');
    const start = stream.packed.byteOffset - this.#pdf.byteOffset;
    return { start, content: await this.#unpack(stream, { isTable: false }) };
  }

  async #object(number: number): Promise<PdfObject | null> {
    this.#budget.spend(1);
    const known = this.#objects.get(number);
    if (known !== undefined) return known;
    const location = this.#references.locations.get(number);
    if (location === undefined || location === null) return null;
    if (this.#reading.has(number) || this.#reading.size >= maxReading) {
      throw new UnreadablePdf('objects refer to one another in a circle, or too deeply');
    }
    this.#reading.add(number);
    try {
      const read = await this.#read(number, location);
      this.#objects.set(number, read);
      return read;
    } finally {
      this.#reading.delete(number);
    }
  }

  async #read(number: number, location: NonNullable<ObjectLocation>): Promise<PdfObject> {
    const object =
      'at' in location
        ? await this.#readAt(location.at)
        : (await this.#pack(location.inStream)).object(location.index);
    if (object.number === number) return object;
    throw new UnreadablePdf(`object ${number} is not where the cross-reference table places it`);
  }

  #readAt(at: number): Promise<PdfObject> {
    const resolve = (value: PdfValue) => this.resolve(value);
    return readObject(this.#pdf, at, { budget: this.#budget, resolve });
  }

  async #pack(number: number): Promise<PackedObjects> {
    const known = this.#packs.get(number);
    if (known !== undefined) return known;
    // An object in an object stream is never a stream itself (ISO 32000-1, 7.5.7).
    const stream = (await this.#object(number))?.stream ?? null;
    if (stream === null) throw new UnreadablePdf('an object stream is missing');
    const bytes = await this.#unpack(stream, { isTable: true });
    const pack = new PackedObjects(bytes, stream.dictionary, this.#budget);
    this.#packs.set(number, pack);
    return pack;
  }

  async #unpack({ dictionary, packed }: PdfStream, use: { isTable: boolean }): Promise<Bytes> {
    const direct = new Map<string, PdfValue>();
    for (const key of ['Filter', 'DecodeParms']) {
      direct.set(key, await this.resolve(dictionary.get(key)));
    }
    return unpackStream({ dictionary: direct, packed }, this.#budget, use);
  }
}

/** Objects of one object stream (ISO 32000-1, 7.5.7). */
class PackedObjects {
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
