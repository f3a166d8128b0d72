import type { StatementSync } from 'node:sqlite';
import type { DomainEvent } from '../../../src/domain/events.ts';
import type { IssuerState } from '../../../src/domain/issuer/decider.ts';
import { KeyTable } from '../bounded/key-table.ts';
import { StoredKeys } from '../bounded/stored-keys.ts';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { IssuerAudit, issuerTypes, type OpenData } from './issuer-audit.ts';
import { beginnings, type Data, namingTypes, type Reference, referencesOf } from './references.ts';
import { keyNumbers, writeHashNumbers } from './stream-key.ts';

/** Counts that go up or down by one with each event of their stream. */
const counts: Readonly<Partial<Record<DomainEvent['type'], readonly [string, 1 | -1]>>> = {
  UnitTaken: ['used', 1],
  UnitReturned: ['used', -1],
  WebhookPlaceTaken: ['taken', 1],
  WebhookPlaceFreed: ['taken', -1],
};

/** Kinds whose stream is named after them and their id. */
const ownStream: ReadonlySet<string> = new Set(['proof', 'workspace', 'key', 'webhook', 'ledger']);

/** Types of the events that `ReferenceAudit` needs. */
export const referenceTypes: ReadonlySet<string> = new Set([
  ...namingTypes,
  ...Object.keys(counts),
  'SequencesTaken',
  ...issuerTypes,
]);

const mostUnknown = 1_000;
/** A million things: 40 MiB. More are in a temporary file. */
const mostSlots = 2_097_152;

/**
 * Checks that everything an event names exists in the log and belongs to the same organisation, that
 * streams have the names of what begins in them, and that counts count. An event may name what is
 * appended together with it, so references are judged at the end. Remembers ids in a temporary file.
 */
export class ReferenceAudit {
  readonly #db = openTemporaryDatabase();
  readonly #findings: Findings;
  readonly #open: StatementSync;
  /** Number of the owner of everything that has begun. */
  readonly #known: StoredKeys;
  /** Last count of each stream that counts. */
  readonly #counts: StoredKeys;
  readonly #key = new Uint32Array(keyNumbers);
  /** Numbers of owners, from 1; 0 stands for none. */
  readonly #owners = new Map<string, number>();
  readonly #issuer: IssuerAudit;

  /** @param open null if nothing can be decrypted */
  constructor(findings: Findings, open: OpenData | null = null) {
    this.#findings = findings;
    this.#issuer = new IssuerAudit(findings, open);
    this.#db.exec(
      'CREATE TABLE open (position INTEGER, stream TEXT, owner TEXT, field TEXT, kind TEXT, id TEXT)',
    );
    this.#open = this.#db.prepare('INSERT INTO open VALUES (?, ?, ?, ?, ?, ?)');
    const table = () => new KeyTable(keyNumbers, mostSlots);
    this.#known = new StoredKeys(this.#db, 'known', table());
    this.#counts = new StoredKeys(this.#db, 'counts', table());
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
    if (issuerTypes.has(row.type)) return this.#issuer.add(row);
    const data = parse(row.data);
    if (data === null) return; // the audit of the row reports it
    this.#begin(row, data);
    this.#count(row, data);
    for (const reference of referencesOf(row.type, data)) this.#check(row, reference);
  }

  /** Reports the references to what does not exist. Call this after all rows were added. */
  end(): void {
    this.#issuer.end();
    let unknown = 0;
    for (const open of this.#openReferences()) {
      const { position, stream, field, kind, id } = open;
      if (this.#ownerOf(kind, id) !== null) continue;
      unknown += 1;
      if (unknown > mostUnknown) continue;
      const what = `${field}: no event begins the ${kind} ${id} that this event names`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
    const times = unknown - mostUnknown;
    if (times > 0) {
      const what = `${times} more events name what no event begins`;
      const more = { in: 'references', position: null, column: 'data', what, times } as const;
      this.#findings.reportFault(more);
    }
    let foreign = 0;
    for (const { position, stream, owner, field, kind, id } of this.#openReferences()) {
      const known = this.#ownerOf(kind, id);
      if (owner === null || known === null || known === 0) continue;
      if (known === this.#numberOf(owner)) continue;
      foreign += 1;
      if (foreign > mostUnknown) break;
      const what = `${field}: the ${kind} ${id} that this event names belongs to another organisation`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
  }

  #openReferences(): Iterable<OpenReference> {
    const text =
      'SELECT position, stream, owner, field, kind, id FROM open ORDER BY position, rowid';
    return this.#db.prepare(text).iterate() as Iterable<unknown> as Iterable<OpenReference>;
  }

  /** Number of the owner; null for what no event so far begins. */
  #ownerOf(kind: string, id: string): number | null {
    writeHashNumbers(`${kind} ${id}`, this.#key, 0, keyNumbers);
    return this.#known.get(this.#key, 0);
  }

  #numberOf(owner: string | null): number {
    if (owner === null) return 0;
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    const number = this.#owners.size + 1;
    this.#owners.set(owner, number);
    return number;
  }

  #begin(row: FoundRow, data: Data): void {
    const [kind, field] = beginnings[row.type as DomainEvent['type']] ?? [];
    const id = field === undefined ? undefined : data[field];
    if (kind === undefined || typeof id !== 'string') return;
    if (this.#ownerOf(kind, id) === null) {
      this.#known.set(this.#key, 0, this.#numberOf(row.organisation_id));
    }
    const isFirst = row.type === 'DocumentStored';
    const isNamed = ownStream.has(kind) || isFirst ? row.stream === `${kind}-${id}` : true;
    if (!isNamed) this.#fault(row, `${field}: the stream of the ${kind} ${id} has another name`);
  }

  #count(row: FoundRow, data: Data): void {
    const [field, by] = counts[row.type as DomainEvent['type']] ?? [];
    if (field === undefined || by === undefined) return;
    const value = data[field];
    writeHashNumbers(row.stream, this.#key, 0, keyNumbers);
    const expected = (this.#counts.get(this.#key, 0) ?? 0) + by;
    if (value !== expected) {
      this.#fault(row, `${field}: the value is ${value}, but ${expected} follows from the events`);
    }
    const next = Number.isSafeInteger(value) ? Number(value) : expected;
    this.#counts.set(this.#key, 0, next);
  }

  #check(row: FoundRow, { field, kind, id }: Reference): void {
    if (id === null || id === undefined) return;
    const owner = row.organisation_id;
    const known = this.#ownerOf(kind, String(id));
    if (known !== null && (known === 0 || owner === null || known === this.#numberOf(owner)))
      return;
    this.#open.run(row.position, row.stream, owner, field, kind, String(id));
  }

  #fault(
    { position, stream }: Pick<FoundRow, 'position' | 'stream'>,
    what: string,
    others: readonly string[] = [],
    ids?: readonly string[],
  ): Fault {
    const fault = { in: 'references', position, column: 'data', what } as const;
    const related = { streams: [stream, ...others], ...(ids === undefined ? {} : { ids }) };
    return this.#findings.reportFault(fault, related);
  }
}

interface OpenReference {
  readonly position: number;
  readonly stream: string;
  readonly owner: string | null;
  readonly field: string;
  readonly kind: string;
  readonly id: string;
}

function parse(text: string): Data | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
