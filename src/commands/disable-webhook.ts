import { streams } from '../domain/streams.ts';
import type { WebhookId } from '../domain/ulid.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import type { DisabledReason } from '../domain/webhook/events.ts';
import type { WebhookState } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/** Ends deliveries to an endpoint. A disabled, deleted or unknown endpoint stays unchanged. */
export async function disableWebhook(
  store: EventStore,
  { webhookId, reason }: { readonly webhookId: WebhookId; readonly reason: DisabledReason },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.webhook(webhookId);
  const command = (state: WebhookState) => webhookDecider.disable(state, reason);
  await handle(store, stream, webhookDecider, command, meta);
}
