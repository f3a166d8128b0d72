import type { NamedThings } from '../rows/named-things.ts';
import type { JsonObject } from '../rows/parse-canonical.ts';
import { issuerTypes } from './issuer-audit.ts';
import { beginningOf, countOf, isNamedAfter, referencesOf } from './references.ts';
import { thingNumbers, writeThingKey } from './thing-key.ts';

interface ThingRow {
  readonly type: string;
  readonly stream: string;
  readonly owner: string | null;
  /** Null unless they are a JSON object. */
  readonly data: JsonObject | null;
}

/** Collects the facts of a stretch, row by row. */
export class NamedThingsWriter {
  readonly #hasFacts: Uint8Array;
  readonly #begins: Uint8Array;
  readonly #begun: Uint32Array;
  readonly #counted: Float64Array;
  readonly #steps: Int8Array;
  readonly #ends: Uint32Array;
  readonly #owners: Int32Array;
  readonly #ownerIds = new Map<string, number>();
  #named: Uint32Array;
  #count = 0;
  #rows = 0;
  #isComplete = true;

  constructor(rows: number) {
    this.#hasFacts = new Uint8Array(rows);
    this.#begins = new Uint8Array(rows);
    this.#begun = new Uint32Array(thingNumbers * rows);
    this.#counted = new Float64Array(rows).fill(Number.NaN);
    this.#steps = new Int8Array(rows);
    this.#ends = new Uint32Array(rows);
    this.#owners = new Int32Array(rows).fill(-1);
    this.#named = new Uint32Array(thingNumbers * 4 * (rows + 1));
  }

  /** Adds the row at `index`. Rows come in order; some may be left out. */
  add(index: number, row: ThingRow): void {
    this.#skipTo(index);
    if (issuerTypes.has(row.type)) return;
    const named = this.#count;
    if (row.data === null || !this.#write(index, row, row.data)) {
      this.#count = named;
      this.#begins[index] = 0;
      this.#isComplete = false;
      return;
    }
    this.#hasFacts[index] = 1;
    if (row.owner !== null) this.#owners[index] = this.#placeOf(row.owner);
  }

  /** @param isSound true if the stretch has no gap, and all of its rows are sound */
  end(isSound: boolean): NamedThings {
    this.#skipTo(this.#ends.length);
    return {
      hasFacts: this.#hasFacts,
      begins: this.#begins,
      begun: this.#begun,
      counted: this.#counted,
      steps: this.#steps,
      named: this.#named,
      ends: this.#ends,
      owners: this.#owners,
      ownerIds: [...this.#ownerIds.keys()],
      isComplete: this.#isComplete && isSound,
    };
  }

  /** False if the row needs the comparison that also finds words for what is wrong. */
  #write(index: number, { type, stream }: ThingRow, data: JsonObject): boolean {
    const beginning = beginningOf({ type, stream }, data);
    if (beginning !== null) {
      const { kind, id } = beginning;
      if (typeof id !== 'string' || !isNamedAfter({ type, stream }, beginning)) return false;
      this.#begins[index] = 1;
      writeThingKey(kind, id, this.#begun, thingNumbers * index);
    }
    const count = countOf(type, data);
    if (count !== null) {
      if (!Number.isSafeInteger(count.value)) return false;
      this.#counted[index] = Number(count.value);
      this.#steps[index] = count.step;
    }
    for (const { kind, id } of referencesOf({ type, stream }, data)) {
      if (id === null || id === undefined) continue;
      if (typeof id !== 'string') return false;
      this.#reserve();
      writeThingKey(kind, id, this.#named, thingNumbers * this.#count);
      this.#count += 1;
    }
    return true;
  }

  #skipTo(index: number): void {
    for (; this.#rows < index; this.#rows += 1) this.#ends[this.#rows] = this.#count;
  }

  #placeOf(owner: string): number {
    const place = this.#ownerIds.get(owner) ?? this.#ownerIds.size;
    this.#ownerIds.set(owner, place);
    return place;
  }

  #reserve(): void {
    if (thingNumbers * (this.#count + 1) <= this.#named.length) return;
    const larger = new Uint32Array(2 * this.#named.length);
    larger.set(this.#named);
    this.#named = larger;
  }
}
