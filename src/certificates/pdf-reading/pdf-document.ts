import { Budget } from './budget.ts';
import { type CrossReferences, type Place, readCrossReferences } from './cross-references.ts';
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

const maxObjectStreamBytes = 4 * 1024 * 1024;
/** Bytes looked at, unpacked or kept; reading this much takes less than a second. */
const maxWork = 32 * 1024 * 1024;
/** What a member of a list takes wherever the list is used. */
const memberBytes = 16;
/** An object may need another one for its length; no honest file goes further than that. */
const maxReading = 8;

export interface AttachedStream {
  readonly start: number;
  readonly content: Buffer;
}

/** Looks things up in a PDF of unknown origin. Everything throws `UnreadablePdf` where it is damaged. */
export class PdfDocument {
  readonly #pdf: Buffer;
  readonly #budget = new Budget(maxWork);
  readonly #references: CrossReferences;
  readonly #objects = new Map<number, PdfObject>();
  readonly #packs = new Map<number, PackedObjects>();
  readonly #reading = new Set<number>();

  constructor(pdf: Buffer) {
    this.#pdf = pdf;
    this.#references = readCrossReferences(pdf, this.#budget);
  }

  get isEncrypted(): boolean {
    return this.#references.trailer.has('Encrypt');
  }

  get catalogue(): PdfDictionary {
    const catalogue = this.dictionary(this.#references.trailer.get('Root'));
    if (catalogue === null) throw new UnreadablePdf('it has no catalogue');
    return catalogue;
  }

  /** The value, or the object's that it refers to; null where there is none. */
  resolve(value: PdfValue | undefined): PdfValue {
    if (!(value instanceof PdfReference)) return value ?? null;
    return this.#object(value.number)?.value ?? null;
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | null {
    const resolved = this.resolve(value);
    return isDictionary(resolved) ? resolved : null;
  }

  list(value: PdfValue | undefined): readonly PdfValue[] {
    const resolved = this.resolve(value);
    if (!Array.isArray(resolved)) return [];
    this.#budget.spend(memberBytes * resolved.length);
    return resolved;
  }

  /** A stream, and the index of its first byte in the file; null where there is none. */
  stream(reference: PdfValue | undefined, maxBytes: number): AttachedStream | null {
    if (!(reference instanceof PdfReference)) return null;
    const stream = this.#object(reference.number)?.stream ?? null;
    if (stream === null) return null;
    const start = stream.packed.byteOffset - this.#pdf.byteOffset;
    return { start, content: this.#unpack(stream, maxBytes) };
  }

  #object(number: number): PdfObject | null {
    this.#budget.spend(1);
    const known = this.#objects.get(number);
    if (known !== undefined) return known;
    const place = this.#references.places.get(number);
    if (place === undefined || place === null) return null;
    if (this.#reading.has(number) || this.#reading.size >= maxReading) {
      throw new UnreadablePdf('an object refers to itself');
    }
    this.#reading.add(number);
    try {
      const read = this.#read(number, place);
      this.#objects.set(number, read);
      return read;
    } finally {
      this.#reading.delete(number);
    }
  }

  #read(number: number, place: NonNullable<Place>): PdfObject {
    const object =
      'at' in place ? this.#readAt(place.at) : this.#pack(place.inStream).object(place.index);
    if (object.number === number) return object;
    throw new UnreadablePdf(`object ${number} is not where it should be`);
  }

  #readAt(at: number): PdfObject {
    const resolve = (value: PdfValue) => this.resolve(value);
    return readObject(this.#pdf, at, { budget: this.#budget, resolve });
  }

  #pack(number: number): PackedObjects {
    const known = this.#packs.get(number);
    if (known !== undefined) return known;
    // Not by way of another stream of objects, which is not allowed.
    const place = this.#references.places.get(number);
    const stream = place && 'at' in place ? this.#readAt(place.at).stream : null;
    if (stream === null) throw new UnreadablePdf('a stream of objects is missing');
    const bytes = this.#unpack(stream, maxObjectStreamBytes);
    const pack = new PackedObjects(bytes, stream.dictionary, this.#budget);
    this.#packs.set(number, pack);
    return pack;
  }

  #unpack({ dictionary, packed }: PdfStream, maxBytes: number): Buffer {
    const direct = ['Filter', 'DecodeParms'].map(
      (key) => [key, this.resolve(dictionary.get(key))] as const,
    );
    return unpackStream({ dictionary: new Map(direct), packed }, maxBytes, this.#budget);
  }
}

/** Objects that are packed together in one stream (ISO 32000-1, 7.5.7). */
class PackedObjects {
  readonly #bytes: Buffer;
  readonly #budget: Budget;
  readonly #places: { readonly number: number; readonly at: number }[] = [];

  constructor(bytes: Buffer, dictionary: PdfDictionary, budget: Budget) {
    this.#bytes = bytes;
    this.#budget = budget;
    const count = asCount(dictionary.get('N')) ?? 0;
    const first = asCount(dictionary.get('First')) ?? 0;
    const parser = new PdfParser(bytes, 0, budget);
    for (let index = 0; index < count; index += 1) {
      this.#places.push({ number: parser.count(), at: first + parser.count() });
    }
  }

  object(index: number): PdfObject {
    const place = this.#places[index];
    if (place === undefined) throw new UnreadablePdf('a stream of objects is damaged');
    const value = new PdfParser(this.#bytes, place.at, this.#budget).value();
    return { number: place.number, value, stream: null };
  }
}
