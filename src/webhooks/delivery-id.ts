import { createHash } from 'node:crypto';
import type { WebhookId } from '../domain/ulid.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';

const timeCharacters = 10;
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The id of the one delivery of this kind to an endpoint for an event of the log (`eventId`, a
 * ULID): a deterministic ULID with the event's time.
 */
export function deliveryIdOf(
  eventId: string,
  kind: WebhookEventKind,
  webhookId: WebhookId,
): string {
  const digest = createHash('sha256').update(`${eventId}|${kind}|${webhookId}`).digest();
  const tail = [...digest.subarray(0, 16)].map((byte) => crockford[byte % 32]).join('');
  return eventId.slice(0, timeCharacters) + tail;
}
