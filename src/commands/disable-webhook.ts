import { streams } from '../domain/streams.ts';
import type { WebhookId } from '../domain/ulid.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import type { DisabledReason } from '../domain/webhook/events.ts';
import type { WebhookState } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Ends deliveries to an endpoint. A disabled, deleted or unknown endpoint stays unchanged. Returns
 * true if the endpoint was disabled by this call.
 */
export async function disableWebhook(
  store: EventStore,
  order: {
    readonly webhookId: WebhookId;
    readonly reason: DisabledReason;
    /** The URL whose answer is the reason. An endpoint with another URL by now stays unchanged. */
    readonly url?: string | undefined;
  },
  meta: EventMeta,
): Promise<boolean> {
  const { webhookId, reason, url } = order;
  const stream = streams.webhook(webhookId);
  const command = (state: WebhookState) => webhookDecider.disable(state, reason, url);
  return (await handle(store, stream, webhookDecider, command, meta)).appended.length > 0;
}
