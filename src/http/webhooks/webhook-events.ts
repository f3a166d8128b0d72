import { type WebhookEventKind, webhookEventKinds } from '../../domain/webhook/event-kind.ts';
import { failureOf } from '../../views/failure.ts';
import { viewWorkspace } from '../../views/workspace-view.ts';
import { document as exampleDocument } from '../documents/document-examples.ts';
import { completedStatus, pendingStatus, workspace } from '../proofs/proof-examples.ts';
import { run } from '../runs/run-examples.ts';
import { delivery, webhook } from './webhook-examples.ts';

/** A kind of webhook event as it is documented. */
export interface WebhookEventDescription {
  readonly kind: WebhookEventKind;
  /** Completes: is sent when … */
  readonly when: string;
  /** The `data` of its deliveries, in words. */
  readonly content: string;
  /** The body of a delivery. */
  readonly example: {
    readonly type: WebhookEventKind;
    readonly timestamp: string;
    readonly data: object;
  };
}

const { proofNonce: _, ...proof } = completedStatus;
const { proofNonce: __, agentClassification: ___, ...document } = exampleDocument;
const { proofNonce: ____, ...requested } = pendingStatus;
const pendingDocument = { ...document, ...requested };

const described: Readonly<
  Record<
    WebhookEventKind,
    { readonly when: string; readonly content: string; readonly data: object }
  >
> = {
  'document.created': {
    when: 'a first file is stored',
    content: 'the document, as GET /documents/{id}',
    data: pendingDocument,
  },
  'upload.completed': {
    when: 'the proof of a stored file is anchored',
    content: 'the document, as GET /documents/{id}',
    data: document,
  },
  'upload.failed': {
    when: 'the proof of a stored file is given up',
    content: 'the document as it was uploaded, with failure',
    data: { ...pendingDocument, failure: failureOf('refused') },
  },
  'certificate.generated': {
    when: 'a certificate of a proof is issued: the first one, or its successor',
    content: 'the proof, as GET /proofs/{proofId}',
    data: proof,
  },
  'workspace.created': {
    when: 'a workspace is created',
    content: 'the workspace',
    data: viewWorkspace(workspace, 'Archive'),
  },
  'proof.completed': {
    when: 'a proof is anchored',
    content: 'the proof, as GET /proofs/{proofId}',
    data: { ...proof, evidence: 'pending' },
  },
  'proof.failed': {
    when: 'a proof is rolled back or given up',
    content: 'the proof as it was requested, with failure',
    data: { ...requested, failure: failureOf('withdrawn') },
  },
  'proof.attested': {
    when:
      "signatures of the ledger's validators are on record for an anchored proof, so a certificate " +
      'issued from now on can be verified without a server',
    content: 'the proof, as GET /proofs/{proofId}',
    data: proof,
  },
  'revision.created': {
    when: 'a revision is stored',
    content: 'the document, as GET /documents/{id}',
    data: pendingDocument,
  },
  'agent.run.recorded': {
    when: 'a run is recorded',
    content: 'the run, as lists show it',
    data: run,
  },
  'webhook.test': {
    when: 'you call POST /webhooks/{id}/test',
    content: 'the id of the endpoint',
    data: { id: webhook.id },
  },
};

/** All kinds of webhook events, with an example of each. */
export const webhookEvents: readonly WebhookEventDescription[] = webhookEventKinds.map((kind) => {
  const { when, content, data } = described[kind];
  const example = { type: kind, timestamp: delivery.createdAt, data };
  return { kind, when, content, example };
});
