import { Refusal } from '../refusal.ts';
import type { WebhookId } from '../ulid.ts';
import type { WebhookPlaceEvent } from './events.ts';

/** Maximum number of endpoints of an organisation, including disabled ones. */
const maxWebhooks = 20;

/**
 * Takes a place for an endpoint. `taken` is the number of places taken before. Refuses with
 * INVALID_REQUEST.
 */
export function takeWebhookPlace(
  taken: number,
  webhookId: WebhookId,
): readonly WebhookPlaceEvent[] {
  if (taken >= maxWebhooks) {
    const message = `webhooks: the organisation has ${maxWebhooks} webhook endpoints, the maximum; delete one first`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'WebhookPlaceTaken', data: { webhookId, taken: taken + 1 } }];
}

export function freeWebhookPlace(
  taken: number,
  webhookId: WebhookId,
): readonly WebhookPlaceEvent[] {
  return [{ type: 'WebhookPlaceFreed', data: { webhookId, taken: taken - 1 } }];
}

/** Number of places taken, by the newest event of the organisation's stream. */
export function placesTaken(newest: WebhookPlaceEvent | null): number {
  return newest?.data.taken ?? 0;
}
