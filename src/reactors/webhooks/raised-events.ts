import type { DomainEvent } from '../../domain/events.ts';
import { proofOfStream } from '../../domain/streams.ts';
import type { WebhookEventKind } from '../../domain/webhook/event-kind.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** A webhook event without its data: its kind and the resource that it is about. */
export interface Raised {
  readonly kind: WebhookEventKind;
  readonly resourceId: string;
  /** First upload of a document's chain; null for other resources. */
  readonly rootId: string | null;
}

/** Webhook events that an event of the log raises by itself; empty for most types. */
export function raisedBy(event: StoredEvent): readonly Raised[] {
  const raise = raising[event.type] as Raise | undefined;
  return raise === undefined ? [] : [raise(event)];
}

type Raise = (event: StoredEvent) => Raised;

/**
 * Kinds of webhook event by type of event. Some need more than the event itself: `upload.completed`
 * and `upload.failed`, see `findSettledUploads`, and `proof.attested`, see `AttestedProofs`. No event
 * raises `webhook.test`: it is sent on demand.
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
  // The id is the part of the stream name that stands for the run's name. The name itself is the
  // caller's, and confidential.
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

/** Types of event that can raise a webhook event. */
export const raisingTypes = Object.keys(raising) as readonly DomainEvent['type'][];

function ofProof(kind: WebhookEventKind, event: StoredEvent): Raised {
  const proofId = proofOfStream(event.stream);
  if (proofId === null) throw new Error(`${event.type} in the stream ${event.stream}`);
  return { kind, resourceId: proofId, rootId: null };
}

function ofDocument(kind: WebhookEventKind, documentId: string, rootId: string): Raised {
  return { kind, resourceId: documentId, rootId };
}
