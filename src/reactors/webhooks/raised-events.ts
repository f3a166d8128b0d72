import type { DomainEvent } from '../../domain/events.ts';
import { proofOfStream } from '../../domain/streams.ts';
import type { WebhookEventKind } from '../../domain/webhook/event-kind.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** One thing that endpoints are told of: what it is called, and which resource it is about. */
export interface Raised {
  readonly kind: WebhookEventKind;
  readonly resourceId: string;
  /** Of a document: the first upload of its chain. */
  readonly rootId: string | null;
}

/** What an event of the log raises by itself; nothing for most types. */
export function raisedBy(event: StoredEvent): readonly Raised[] {
  const raise = raising[event.type] as Raise | undefined;
  return raise === undefined ? [] : [raise(event)];
}

type Raise = (event: StoredEvent) => Raised;

/**
 * Which events raise which kinds. `upload.completed` and `upload.failed` need more than the event
 * itself: see `findSettledUploads`. `webhook.test` is raised by nobody: it is sent on demand.
 */
const raising: {
  readonly [Type in DomainEvent['type']]?: (event: StoredEvent & { type: Type }) => Raised;
} = {
  DocumentStored: ({ data }) => ofDocument('document.created', data.documentId, data.documentId),
  RevisionChained: ({ data }) =>
    ofDocument('revision.created', data.documentId, data.rootDocumentId),
  Anchored: (event) => ofProof('proof.completed', event),
  ProofWithdrawn: (event) => ofProof('proof.failed', event),
  AnchorRefused: (event) => ofProof('proof.failed', event),
  CertificateIssued: (event) => ofProof('certificate.generated', event),
  // By what stands for its name in its stream: the name itself is the caller's, and confidential.
  RunRecorded: ({ stream }) => ({
    kind: 'agent.run.recorded',
    resourceId: stream.slice(stream.lastIndexOf('-') + 1),
    rootId: null,
  }),
  WorkspaceCreated: ({ data }) => ({
    kind: 'workspace.created',
    resourceId: data.workspaceId,
    rootId: null,
  }),
};

/** The types of event that can raise something. */
export const raisingTypes = Object.keys(raising) as readonly DomainEvent['type'][];

function ofProof(kind: WebhookEventKind, event: StoredEvent): Raised {
  const proofId = proofOfStream(event.stream);
  if (proofId === null) throw new Error(`${event.type} in the stream ${event.stream}`);
  return { kind, resourceId: proofId, rootId: null };
}

function ofDocument(kind: WebhookEventKind, documentId: string, rootId: string): Raised {
  return { kind, resourceId: documentId, rootId };
}
