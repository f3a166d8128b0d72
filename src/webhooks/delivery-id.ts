import { createHash } from 'node:crypto';
import type { WebhookId } from '../domain/ulid.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';

const timeCharacters = 10;
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The id of a delivery: a ULID with the event's time that follows from the arguments alone. An event
 * that raises one kind for several resources needs `resourceId`.
 *
 * @param eventId of the event of the log that is delivered; a ULID
 */
export function deliveryIdOf(
  eventId: string,
  kind: WebhookEventKind,
  webhookId: WebhookId,
  resourceId: string | null = null,
): string {
  const resource = resourceId === null ? '' : `|${resourceId}`;
  const text = `${eventId}|${kind}|${webhookId}${resource}`;
  const digest = createHash('sha256').update(text).digest();
  const tail = [...digest.subarray(0, 16)].map((byte) => crockford[byte % 32]).join('');
  return eventId.slice(0, timeCharacters) + tail;
}
