import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { Fault } from './fault.ts';
import type { Findings } from './findings.ts';
import type { FoundRow } from './found-row.ts';

type Data = Readonly<Record<string, unknown>>;
type Kind = 'proof' | 'document' | 'workspace' | 'key' | 'webhook' | 'ledger';

interface Reference {
  readonly field: string;
  readonly kind: Kind;
  readonly id: unknown;
}

/** Things that an event of this type begins, by the field with their id. */
const beginnings: Readonly<Partial<Record<DomainEvent['type'], readonly [Kind, string]>>> = {
  ProofRequested: ['proof', 'proofId'],
  DocumentStored: ['document', 'documentId'],
  RevisionChained: ['document', 'documentId'],
  WorkspaceCreated: ['workspace', 'workspaceId'],
  KeyIssued: ['key', 'keyId'],
  WebhookRegistered: ['webhook', 'webhookId'],
  LedgerJoined: ['ledger', 'ledgerId'],
};

const document = [
  ['proofId', 'proof'],
  ['workspaceId', 'workspace'],
] as const;

/** Fields that name something of another stream; each may be null. */
const fields: Readonly<Partial<Record<DomainEvent['type'], readonly (readonly [string, Kind])[]>>> =
  {
    ProofRequested: [['workspaceId', 'workspace']],
    AnchorPrepared: [['ledgerId', 'ledger']],
    DocumentStored: document,
    RevisionChained: [
      ...document,
      ['rootDocumentId', 'document'],
      ['previousDocumentId', 'document'],
    ],
    HashClaimed: [['proofId', 'proof']],
    HashReleased: [['proofId', 'proof']],
    HashStored: [
      ['documentId', 'document'],
      ['proofId', 'proof'],
    ],
    UnitTaken: [['documentId', 'document']],
    UnitReturned: [['documentId', 'document']],
    StorageTaken: [['documentId', 'document']],
    NonceDelivered: [['proofId', 'proof']],
    KeyPlaceTaken: [['keyId', 'key']],
    WebhookPlaceTaken: [['webhookId', 'webhook']],
    WebhookPlaceFreed: [['webhookId', 'webhook']],
    RunRecorded: [['workspaceId', 'workspace']],
  };

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
  ...Object.keys(beginnings),
  ...Object.keys(fields),
  ...Object.keys(counts),
  'SequencesTaken',
]);

const mostUnknown = 1_000;

/**
 * Checks that everything an event names exists in the log and belongs to the same organisation, that
 * streams have the names of what begins in them, and that counts count. An event may name what is
 * appended together with it, so references are judged at the end. Remembers ids in a temporary file.
 */
export class ReferenceAudit {
  readonly #db = new DatabaseSync('');
  readonly #findings: Findings;
  readonly #know: StatementSync;
  readonly #ownerOf: StatementSync;
  readonly #open: StatementSync;
  readonly #countOf: StatementSync;
  readonly #setCount: StatementSync;

  constructor(findings: Findings) {
    this.#findings = findings;
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE known (kind TEXT, id TEXT, owner TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
      CREATE TABLE open (position INTEGER, stream TEXT, owner TEXT, field TEXT, kind TEXT, id TEXT);
      CREATE TABLE counts (stream TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
      BEGIN`);
    const prepare = (text: string) => this.#db.prepare(text);
    this.#know = prepare('INSERT OR IGNORE INTO known VALUES (?, ?, ?)');
    this.#ownerOf = prepare('SELECT owner FROM known WHERE kind = ? AND id = ?');
    this.#open = prepare('INSERT INTO open VALUES (?, ?, ?, ?, ?, ?)');
    this.#countOf = prepare('SELECT value FROM counts WHERE stream = ?');
    this.#setCount = prepare('INSERT OR REPLACE INTO counts VALUES (?, ?)');
  }

  close(): void {
    this.#db.close();
  }

  /** Adds an event of `referenceTypes`. */
  add(row: FoundRow): void {
    const data = parse(row.data);
    if (data === null) return; // the audit of the row reports it
    this.#begin(row, data);
    this.#count(row, data);
    for (const reference of referencesOf(row.type, data)) this.#check(row, reference);
  }

  /** Reports the references to what does not exist. Call this after all rows were added. */
  end(): void {
    const left = `FROM open WHERE NOT EXISTS
      (SELECT 1 FROM known WHERE known.kind = open.kind AND known.id = open.id)`;
    const rows = this.#db
      .prepare(`SELECT position, stream, field, kind, id ${left} ORDER BY position LIMIT ?`)
      .all(mostUnknown) as unknown as readonly OpenReference[];
    for (const { position, stream, field, kind, id } of rows) {
      const what = `${field}: no event begins the ${kind} ${id} that this event names`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
    const { total } = this.#db.prepare(`SELECT count(*) AS total ${left}`).get() as {
      readonly total: number;
    };
    const times = total - rows.length;
    if (times > 0) {
      const what = `${times} more events name what no event begins`;
      const more = { in: 'references', position: null, column: 'data', what, times } as const;
      this.#findings.reportFault(more);
    }
    const foreign = this.#db
      .prepare(
        `SELECT position, stream, field, open.kind, open.id FROM open
         JOIN known ON known.kind = open.kind AND known.id = open.id
         WHERE open.owner IS NOT NULL AND known.owner IS NOT NULL AND open.owner <> known.owner
         ORDER BY position LIMIT ?`,
      )
      .all(mostUnknown) as unknown as readonly OpenReference[];
    for (const { position, stream, field, kind, id } of foreign) {
      const what = `${field}: the ${kind} ${id} that this event names belongs to another organisation`;
      this.#fault({ position, stream }, what, [`${kind}-${id}`], [id]);
    }
  }

  #begin(row: FoundRow, data: Data): void {
    const [kind, field] = beginnings[row.type as DomainEvent['type']] ?? [];
    const id = field === undefined ? undefined : data[field];
    if (kind === undefined || typeof id !== 'string') return;
    this.#know.run(kind, id, row.organisation_id);
    const isFirst = row.type === 'DocumentStored';
    const isNamed = ownStream.has(kind) || isFirst ? row.stream === `${kind}-${id}` : true;
    if (!isNamed) this.#fault(row, `${field}: the stream of the ${kind} ${id} has another name`);
  }

  #count(row: FoundRow, data: Data): void {
    const [field, by] = counts[row.type as DomainEvent['type']] ?? [];
    if (field === undefined || by === undefined) return;
    const value = data[field];
    const found = this.#countOf.get(row.stream);
    const expected = Number(found?.value ?? 0) + by;
    if (value !== expected) {
      this.#fault(row, `${field}: the value is ${value}, but ${expected} follows from the events`);
    }
    const next = Number.isSafeInteger(value) ? Number(value) : expected;
    this.#setCount.run(row.stream, next);
  }

  #check(row: FoundRow, { field, kind, id }: Reference): void {
    if (id === null || id === undefined) return;
    const owner = row.organisation_id;
    const known = this.#ownerOf.get(kind, String(id));
    const isFine = known !== undefined && [null, owner].includes(known.owner as string | null);
    if (isFine || (known !== undefined && owner === null)) return;
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
  readonly field: string;
  readonly kind: string;
  readonly id: string;
}

function referencesOf(type: string, data: Data): readonly Reference[] {
  const named = (fields[type as DomainEvent['type']] ?? []).map(([field, kind]) => {
    return { field, kind, id: data[field] };
  });
  if (type === 'ProofRequested') return [...named, ...referencesOfUpload(data.document)];
  if (type !== 'SequencesTaken' || !Array.isArray(data.taken)) return named;
  const taken = data.taken.map((one) => {
    return { field: 'taken', kind: 'proof', id: Object(one).proofId } as const;
  });
  return [...named, ...taken];
}

function referencesOfUpload(upload: unknown): readonly Reference[] {
  const { documentId, rootDocumentId, previousProofId } = Object(upload ?? {});
  return [
    { field: 'document', kind: 'document', id: documentId },
    { field: 'document', kind: 'document', id: rootDocumentId },
    { field: 'document', kind: 'proof', id: previousProofId },
  ];
}

function parse(text: string): Data | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
