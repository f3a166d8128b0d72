import type { DomainEvent } from '../../../src/domain/events.ts';
import { proofOfStream } from '../../../src/domain/streams.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { JsonObject } from '../rows/parse-canonical.ts';

export type Kind =
  | ('organisation' | 'workspace' | 'key' | 'person' | 'webhook' | 'link')
  | ('proof' | 'document' | 'ledger' | 'log')
  | ('validator list' | 'time-stamp token');

export interface Reference {
  readonly field: string;
  readonly kind: Kind;
  readonly id: unknown;
}

/** Things that an event of this type begins, by the field with their id. */
const beginnings: Readonly<Partial<Record<DomainEvent['type'], readonly [Kind, string]>>> = {
  LogOpened: ['log', 'logId'],
  OrganisationOpened: ['organisation', 'organisationId'],
  ProofRequested: ['proof', 'proofId'],
  DocumentStored: ['document', 'documentId'],
  RevisionChained: ['document', 'documentId'],
  WorkspaceCreated: ['workspace', 'workspaceId'],
  KeyIssued: ['key', 'keyId'],
  PersonInvited: ['person', 'personId'],
  WebhookRegistered: ['webhook', 'webhookId'],
  LedgerJoined: ['ledger', 'ledgerId'],
  LinkCreated: ['link', 'linkId'],
};

/** The thing that an event begins; null if it begins none. The id may be malformed. */
export function beginningOf(
  row: Pick<EventRow, 'type' | 'stream'>,
  data: JsonObject,
): Reference | null {
  const type = row.type as DomainEvent['type'];
  const [kind, field] = beginnings[type] ?? [];
  if (kind !== undefined && field !== undefined) return { kind, field, id: data[field] };
  if (type === 'ValidatorListPublished') {
    return { kind: 'validator list', field: 'sequence', id: listId(data) };
  }
  if (type !== 'CheckpointTimestamped') return null;
  return { kind: 'time-stamp token', field: 'token', id: row.stream };
}

const owned = [['organisationId', 'organisation']] as const;

const document = [
  ['proofId', 'proof'],
  ['workspaceId', 'workspace'],
] as const;

/** Counts that go up or down by one with each event of their stream. */
const counts: Readonly<Partial<Record<DomainEvent['type'], readonly [string, 1 | -1]>>> = {
  UnitTaken: ['used', 1],
  UnitReturned: ['used', -1],
  WebhookPlaceTaken: ['taken', 1],
  WebhookPlaceFreed: ['taken', -1],
};

/** Types of the events that count. */
export const countingTypes: readonly string[] = Object.keys(counts);

/** The count that an event states, and by how much it differs from the one before; null for none. */
export function countOf(
  type: string,
  data: JsonObject,
): { readonly field: string; readonly value: unknown; readonly step: 1 | -1 } | null {
  const [field, step] = counts[type as DomainEvent['type']] ?? [];
  return field === undefined || step === undefined ? null : { field, value: data[field], step };
}

/** Kinds whose stream is named after them and their id. */
const ownStream: ReadonlySet<string> = new Set([
  ...['organisation', 'workspace', 'key', 'webhook', 'proof', 'ledger', 'log'],
]);

/** False if an event that begins a thing is in a stream of another name than that of the thing. */
export function isNamedAfter(
  { type, stream }: Pick<EventRow, 'type' | 'stream'>,
  { kind, id }: Pick<Reference, 'kind' | 'id'>,
): boolean {
  const isFirst = type === 'DocumentStored';
  return ownStream.has(kind) || isFirst ? stream === `${kind}-${id}` : true;
}

/**
 * True for a kind of which each thing begins once. Two networks may have the same validator list, and
 * the version of its stream shows a second token.
 */
export function beginsOnce(kind: Kind): boolean {
  return kind !== 'validator list' && kind !== 'time-stamp token';
}

/** Fields that name something of another stream; each may be null. */
const fields: Readonly<Partial<Record<DomainEvent['type'], readonly (readonly [string, Kind])[]>>> =
  {
    ProofRequested: [['workspaceId', 'workspace']],
    WorkspaceCreated: owned,
    KeyIssued: owned,
    PersonInvited: owned,
    WebhookRegistered: owned,
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
    LinkCreated: [['proofId', 'proof']],
    LinkWithdrawn: [
      ['proofId', 'proof'],
      ['linkId', 'link'],
    ],
    KeyPlaceTaken: [['keyId', 'key']],
    WorkspaceRenamed: [['workspaceId', 'workspace']],
    WorkspacePlaceTaken: [['workspaceId', 'workspace']],
    PersonReinvited: [['personId', 'person']],
    PersonRegistered: [['personId', 'person']],
    PersonIdentified: [['personId', 'person']],
    PersonRoleChanged: [['personId', 'person']],
    PersonRemoved: [['personId', 'person']],
    WebhookTestRequested: [['webhookId', 'webhook']],
    WebhookRetryRequested: [['webhookId', 'webhook']],
    WebhookRetriesRequested: [['webhookId', 'webhook']],
    WebhookPlaceTaken: [['webhookId', 'webhook']],
    WebhookPlaceFreed: [['webhookId', 'webhook']],
    RunRecorded: [['workspaceId', 'workspace']],
  };

/** Types of the events that begin or name something. */
export const namingTypes: readonly string[] = [
  ...Object.keys(beginnings),
  ...Object.keys(fields),
  ...(['ValidatorListPublished', 'CheckpointTimestamped', 'CertificateIssued'] as const),
];

/** References of an event; ids may be null or malformed. */
export function referencesOf(
  { type, stream }: Pick<EventRow, 'type' | 'stream'>,
  data: JsonObject,
): readonly Reference[] {
  if (type === 'CertificateIssued') return referencesOfCertificate(stream, data);
  if (type === 'AnchorPrepared') {
    const proof = { field: 'stream', kind: 'proof', id: proofOfStream(stream) } as const;
    return [proof, { field: 'ledgerId', kind: 'ledger', id: data.ledgerId }];
  }
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

function referencesOfCertificate(stream: string, data: JsonObject): readonly Reference[] {
  const { ledger, attestation, timestamp } = data;
  return [
    { field: 'stream', kind: 'proof', id: proofOfStream(stream) },
    { field: 'ledger', kind: 'ledger', id: Object(ledger ?? {}).ledgerId },
    {
      field: 'attestation',
      kind: 'validator list',
      id: attestation && listId(Object(attestation)),
    },
    { field: 'timestamp', kind: 'time-stamp token', id: Object(timestamp ?? {}).stream },
  ];
}

function listId({ publisherKey, sequence }: JsonObject): string {
  return `${publisherKey} ${sequence}`;
}

function referencesOfUpload(upload: unknown): readonly Reference[] {
  const { documentId, rootDocumentId, previousProofId } = Object(upload ?? {});
  return [
    { field: 'document', kind: 'document', id: documentId },
    { field: 'document', kind: 'document', id: rootDocumentId },
    { field: 'document', kind: 'proof', id: previousProofId },
  ];
}
