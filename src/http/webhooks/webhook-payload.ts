import { z } from 'zod';
import type { WebhookEventKind } from '../../domain/webhook/event-kind.ts';
import { documentData } from '../../views/document-schema.ts';
import { failureData } from '../../views/failure.ts';
import { id, time } from '../../views/output-fields.ts';
import { proofStatus } from '../../views/proof-schema.ts';
import { runData } from '../../views/run-data.ts';
import { workspaceData } from '../../views/workspace-view.ts';

/**
 * Members that a large body leaves out, which is at most 20 kB. Only members that may be large are
 * optional in the schemas.
 */
const omitted = z
  .array(z.string())
  .optional()
  .meta({
    description:
      'names of the members that were left out to keep the body below 20 kB; request the resource to ' +
      'get them',
  });

const large = { metadata: true } as const;

const proof = proofStatus.omit({ proofNonce: true }).partial(large).extend({ omitted }).meta({
  id: 'WebhookProof',
  description: 'The proof as GET /proofs/{proofId} shows it now, without its nonce.',
});

const failedProof = proof.extend({ failure: failureData }).meta({
  id: 'WebhookFailedProof',
  description: 'A proof that no longer exists, as it was requested. It has the status pending.',
});

const document = documentData
  .omit({ proofNonce: true, agentClassification: true })
  .partial(large)
  .extend({ failure: failureData.optional(), omitted })
  .meta({
    id: 'WebhookDocument',
    description:
      'The document as GET /documents/{id} shows it now, without nonce and classification. failure is ' +
      'present if the document no longer exists.',
  });

const failedDocument = document.extend({ failure: failureData }).meta({
  id: 'WebhookFailedDocument',
  description: 'A document that no longer exists, as it was uploaded. It has the status pending.',
});

const run = runData
  .partial({
    ...{ objective: true, trigger: true, counts: true, coverage: true },
    ...{ connectorsReached: true, connectorsUnreachable: true, unreadableGroups: true },
    network: true,
  })
  .extend({ omitted })
  .meta({ id: 'WebhookAgentRun', description: 'The run as lists show it, without its decisions.' });

const endpoint = z
  .object({ id })
  .meta({ id: 'WebhookTest', description: 'The endpoint that is tested.' });

/** The schema of `data` in deliveries of each kind. */
const dataOf = {
  'document.created': document,
  'upload.completed': document,
  'upload.failed': failedDocument,
  'certificate.generated': proof,
  'workspace.created': workspaceData,
  'proof.completed': proof,
  'proof.failed': failedProof,
  'proof.attested': proof,
  'revision.created': document,
  'agent.run.recorded': run,
  'webhook.test': endpoint,
} as const satisfies Readonly<Record<WebhookEventKind, z.ZodType>>;

/** The schema of the body of a delivery. */
export function webhookPayload(kind: WebhookEventKind) {
  return z.object({
    type: z.literal(kind),
    timestamp: time.meta({ description: 'time of the event' }),
    data: dataOf[kind],
  });
}
