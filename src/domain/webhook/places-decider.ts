import type { Decisions, NewestDecider } from '../decider.ts';
import { Refusal } from '../refusal.ts';
import type { WebhookId } from '../ulid.ts';
import type { WebhookPlaceEvent } from './events.ts';

/** Number of places that an organisation's endpoints take, and the decisions on it. */
export const webhookPlacesDecider = {
  stateAfter: (newest) => newest?.data.taken ?? 0,
  take,
  free,
} satisfies NewestDecider<number, WebhookPlaceEvent> & Decisions;

/** Maximum number of endpoints of an organisation, including disabled ones. */
const maxWebhooks = 20;

/** Takes a place for an endpoint, beside the `taken` ones. Refuses with INVALID_REQUEST. */
function take(taken: number, webhookId: WebhookId): readonly WebhookPlaceEvent[] {
  if (taken >= maxWebhooks) {
    const message = `webhooks: the organisation has ${maxWebhooks} webhook endpoints, the maximum; delete one first`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'WebhookPlaceTaken', data: { webhookId, taken: taken + 1 } }];
}

function free(taken: number, webhookId: WebhookId): readonly WebhookPlaceEvent[] {
  return [{ type: 'WebhookPlaceFreed', data: { webhookId, taken: taken - 1 } }];
}
