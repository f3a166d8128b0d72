import type { IssuerState } from '../../../src/domain/issuer/decider.ts';
import { KeyTable } from '../bounded/key-table.ts';
import { StoredKeys } from '../bounded/stored-keys.ts';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';
import type { Findings } from '../findings/findings.ts';
import { type CopiedPage, rowAt } from '../rows/copied-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import type { NamedThings } from '../rows/named-things.ts';
import type { JsonObject } from '../rows/parse-canonical.ts';
import { parseObject } from '../rows/parse-object.ts';
import { BegunThings, mayName } from './begun-things.ts';
import { IssuerAudit, issuerTypes, type OpenData } from './issuer-audit.ts';
import { OpenReferences } from './open-references.ts';
import {
  beginningOf,
  beginsOnce,
  countingTypes,
  countOf,
  isNamedAfter,
  namingTypes,
  type Reference,
  referencesOf,
} from './references.ts';
import { keyNumbers, writeStreamKey } from './stream-key.ts';
import { thingNumbers } from './thing-key.ts';

/** Types of the events that `ReferenceAudit` needs. */
export const referenceTypes: ReadonlySet<string> = new Set([
  ...namingTypes,
  ...countingTypes,
  'SequencesTaken',
  ...issuerTypes,
]);

const mostListed = 1_000;
/** A million streams that count: 40 MiB. More are in a temporary file. */
const mostSlots = 2_097_152;

/**
 * Checks that everything an event names exists in the log and belongs to the same organisation, that
 * each thing begins once and in a stream of its name, and that counts count. An event may name what is
 * appended together with it, so references are judged at the end.
 */
export class ReferenceAudit {
  readonly #db = openTemporaryDatabase();
  readonly #findings: Findings;
  readonly #things = new BegunThings(this.#db);
  readonly #open = new OpenReferences(this.#db);
  /** Last count of each stream that counts. */
  readonly #counts = new StoredKeys(this.#db, 'counts', new KeyTable(keyNumbers, mostSlots));
  readonly #stream = new Uint32Array(keyNumbers);
  readonly #issuer: IssuerAudit;

  /** @param open null if nothing can be decrypted */
  constructor(findings: Findings, open: OpenData | null = null) {
    this.#findings = findings;
    this.#issuer = new IssuerAudit(findings, open);
  }

  close(): void {
    this.#db.close();
  }

  /** The keys of the issuer in the rows so far. */
  get issuerKeys(): IssuerState {
    return this.#issuer.keys;
  }

  /** Adds an event of `referenceTypes`. */
  async add(row: FoundRow): Promise<void> {
    if (issuerTypes.has(row.type)) await this.#issuer.add(row);
    const data = parseObject(row.data);
    if (data === null) return; // the audit of the row reports it
    this.#begin(row, data);
    this.#addRest(row, data);
  }

  /**
   * Begins everything of a page at once, since an append names what its later events begin. Call it before the
   * first row of the page is added. Does nothing unless the page has the facts of all of its rows: the first of
   * two beginnings counts.
   */
  beginPage(page: CopiedPage): void {
    const { things } = page;
    if (things?.isComplete !== true) return;
    for (const [index, begins] of things.begins.entries()) {
      if (begins === 1) this.#beginAt(page, things, index);
    }
  }

  /**
   * Adds the row at `index` of a page by the facts that a thread has found. Returns false unless all facts
   * are there and agree with earlier rows: `addDoubtful` the row then.
   */
  addSound(page: CopiedPage, index: number): boolean {
    const { things, streamKeys } = page;
    if (things === null || things.hasFacts[index] === 0) return false;
    if (!things.isComplete && things.begins[index] === 1) this.#beginAt(page, things, index);
    const owner = this.#ownerAt(things, index);
    const end = things.ends[index] as number;
    for (let n = index === 0 ? 0 : (things.ends[index - 1] as number); n < end; n += 1) {
      const thingOwner = this.#things.ownerOfKey(things.named, thingNumbers * n);
      if (thingOwner === null || !mayName(thingOwner, owner)) return false;
    }
    const value = things.counted[index] as number;
    if (Number.isNaN(value)) return true;
    const before = this.#counts.get(streamKeys, keyNumbers * index) ?? 0;
    if (value !== before + (things.steps[index] as number)) return false;
    this.#counts.set(streamKeys, keyNumbers * index, value);
    return true;
  }

  /** Adds a row that `addSound` did not add. It has begun its thing if its facts are there. */
  async addDoubtful(page: CopiedPage, index: number): Promise<void> {
    const row = rowAt(page, index);
    if (page.things === null || page.things.hasFacts[index] === 0) return this.add(row);
    const data = parseObject(row.data);
    if (data !== null) this.#addRest(row, data);
  }

  /** Reports the references to what does not exist. Call this after all rows were added. */
  end(): void {
    this.#issuer.end();
    let unknown = 0;
    for (const { position, stream, field, kind, id } of this.#open.all()) {
      if (this.#things.ownerOf(kind, id) !== null) continue;
      unknown += 1;
      if (unknown > mostListed) continue;
      const what = `${field}: no event begins the ${kind} ${id} that this event names`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
    const times = unknown - mostListed;
    if (times > 0) {
      const what = `${times} more events name what no event begins`;
      const more = { in: 'references', position: null, column: 'data', what, times } as const;
      this.#findings.reportFault(more);
    }
    let foreign = 0;
    for (const { position, stream, owner, field, kind, id } of this.#open.all()) {
      const thingOwner = this.#things.ownerOf(kind, id);
      if (thingOwner === null || mayName(thingOwner, this.#things.numberOf(owner))) continue;
      foreign += 1;
      if (foreign > mostListed) break;
      const what = `${field}: the ${kind} ${id} that this event names belongs to another organisation`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
  }

  #beginAt(page: CopiedPage, things: NamedThings, index: number): void {
    const owner = this.#ownerAt(things, index);
    if (this.#things.beginKey(things.begun, thingNumbers * index, owner)) return;
    const row = rowAt(page, index);
    this.#reportAgain(row, beginningOf(row, parseObject(row.data) ?? {}));
  }

  #ownerAt({ owners, ownerIds }: NamedThings, index: number): number {
    const place = owners[index] as number;
    return place < 0 ? 0 : this.#things.numberOf(ownerIds[place] as string);
  }

  #begin(row: FoundRow, data: JsonObject): void {
    const beginning = beginningOf(row, data);
    if (beginning === null || typeof beginning.id !== 'string') return;
    const { kind, field, id } = beginning;
    const owner = this.#things.numberOf(row.organisation_id);
    if (!this.#things.begin(kind, id, owner)) this.#reportAgain(row, beginning);
    if (isNamedAfter(row, beginning)) return;
    this.#fault(row, `${field}: the stream of the ${kind} ${id} has another name`);
  }

  #reportAgain(row: FoundRow, beginning: Reference | null): void {
    if (beginning === null || !beginsOnce(beginning.kind)) return;
    const { kind, field, id } = beginning;
    this.#fault(row, `${field}: an earlier event begins the ${kind} ${id} already`);
  }

  /** Adds everything of a row but its beginning. */
  #addRest(row: FoundRow, data: JsonObject): void {
    this.#count(row, data);
    for (const reference of referencesOf(row, data)) this.#check(row, reference);
  }

  #count(row: FoundRow, data: JsonObject): void {
    const count = countOf(row.type, data);
    if (count === null) return;
    const { field, value, step } = count;
    writeStreamKey(row.stream, this.#stream, 0);
    const expected = (this.#counts.get(this.#stream, 0) ?? 0) + step;
    if (value !== expected) {
      const found = JSON.stringify(value);
      this.#fault(row, `${field}: the value is ${found}, but ${expected} follows from the events`);
    }
    const next = Number.isSafeInteger(value) ? Number(value) : expected;
    this.#counts.set(this.#stream, 0, next);
  }

  #check(row: FoundRow, { field, kind, id }: Reference): void {
    if (id === null || id === undefined) return;
    const { position, stream, organisation_id: owner } = row;
    const text = typeof id === 'string' ? id : JSON.stringify(id);
    const thingOwner = this.#things.ownerOf(kind, text);
    if (thingOwner !== null && mayName(thingOwner, this.#things.numberOf(owner))) return;
    this.#open.add({ position, stream, owner, field, kind, id: text });
  }

  #fault(
    { position, stream }: Pick<FoundRow, 'position' | 'stream'>,
    what: string,
    others: readonly string[] = [],
    ids?: readonly string[],
  ): void {
    const fault = { in: 'references', position, column: 'data', what } as const;
    const related = { streams: [stream, ...others], ...(ids === undefined ? {} : { ids }) };
    this.#findings.reportFault(fault, related);
  }
}
