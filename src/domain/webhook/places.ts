import { Refusal } from '../refusal.ts';
import type { WebhookId } from '../ulid.ts';
import type { WebhookPlaceEvent } from './events.ts';

/** So many endpoints an organisation has at most, disabled ones included. */
export const maxWebhooks = 20;

/** Takes a place for an endpoint where so many are taken. Refuses with INVALID_REQUEST. */
export function takePlace(taken: number, webhookId: WebhookId): readonly WebhookPlaceEvent[] {
  if (taken >= maxWebhooks) {
    const message = `webhooks: there are ${maxWebhooks} already, the most that an organisation has`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'WebhookPlaceTaken', data: { webhookId, taken: taken + 1 } }];
}

export function freePlace(taken: number, webhookId: WebhookId): readonly WebhookPlaceEvent[] {
  return [{ type: 'WebhookPlaceFreed', data: { webhookId, taken: taken - 1 } }];
}

/** How many places are taken, by the newest event of the organisation's stream. */
export function takenAfter(newest: WebhookPlaceEvent | null): number {
  return newest?.data.taken ?? 0;
}
