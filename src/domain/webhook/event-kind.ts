/** Kinds of events that an endpoint can receive; each is the `type` of a delivery's body. */
export const webhookEventKinds = [
  'document.created',
  'upload.completed',
  'upload.failed',
  'certificate.generated',
  'workspace.created',
  'proof.completed',
  'proof.failed',
  'proof.attested',
  'revision.created',
  'agent.run.recorded',
  'webhook.test',
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];
