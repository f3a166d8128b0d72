import type { DomainEvent } from '../../../src/domain/events.ts';

export type Data = Readonly<Record<string, unknown>>;
export type Kind = 'proof' | 'document' | 'workspace' | 'key' | 'person' | 'webhook' | 'ledger';

export interface Reference {
  readonly field: string;
  readonly kind: Kind;
  readonly id: unknown;
}

/** Things that an event of this type begins, by the field with their id. */
export const beginnings: Readonly<Partial<Record<DomainEvent['type'], readonly [Kind, string]>>> = {
  ProofRequested: ['proof', 'proofId'],
  DocumentStored: ['document', 'documentId'],
  RevisionChained: ['document', 'documentId'],
  WorkspaceCreated: ['workspace', 'workspaceId'],
  KeyIssued: ['key', 'keyId'],
  PersonInvited: ['person', 'personId'],
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
    LinkCreated: [['proofId', 'proof']],
    LinkWithdrawn: [['proofId', 'proof']],
    KeyPlaceTaken: [['keyId', 'key']],
    WorkspaceRenamed: [['workspaceId', 'workspace']],
    PersonReinvited: [['personId', 'person']],
    PersonRegistered: [['personId', 'person']],
    PersonRoleChanged: [['personId', 'person']],
    PersonRemoved: [['personId', 'person']],
    WebhookPlaceTaken: [['webhookId', 'webhook']],
    WebhookPlaceFreed: [['webhookId', 'webhook']],
    RunRecorded: [['workspaceId', 'workspace']],
  };

/** Types of the events that begin or name something. */
export const namingTypes: readonly string[] = [...Object.keys(beginnings), ...Object.keys(fields)];

/** References of an event of this type; ids may be null or malformed. */
export function referencesOf(type: string, data: Data): readonly Reference[] {
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
