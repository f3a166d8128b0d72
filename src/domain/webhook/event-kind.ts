import { Refusal } from '../refusal.ts';

/** What an endpoint can be told of; each is the `type` of a delivery's body. */
export const webhookEventKinds = [
  'document.created',
  'upload.completed',
  'upload.failed',
  'certificate.generated',
  'workspace.created',
  'proof.completed',
  'proof.failed',
  'revision.created',
  'agent.run.recorded',
  'webhook.test',
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];

/** At least one kind, all of them known; each once, in the order of first mention. */
export function parseEventKinds(texts: readonly string[]): readonly WebhookEventKind[] {
  const unknown = texts.find((text) => !isKind(text));
  if (unknown !== undefined || texts.length === 0) {
    const what = unknown === undefined ? 'must name at least one' : 'names an unknown kind';
    const kinds = webhookEventKinds.join(', ');
    throw new Refusal('INVALID_REQUEST', `events: ${what}; there are ${kinds}`);
  }
  return [...new Set(texts.filter(isKind))];
}

function isKind(text: string): text is WebhookEventKind {
  return (webhookEventKinds as readonly string[]).includes(text);
}
