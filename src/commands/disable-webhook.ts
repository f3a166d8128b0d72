import { streams } from '../domain/streams.ts';
import type { WebhookId } from '../domain/ulid.ts';
import { disableWebhook as decide } from '../domain/webhook/decide.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import type { DisabledReason } from '../domain/webhook/events.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** Ends deliveries to an endpoint; one that is disabled, deleted or unknown stays as it is. */
export async function disableWebhook(
  store: EventStore,
  { webhookId, reason }: { readonly webhookId: WebhookId; readonly reason: DisabledReason },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.webhook(webhookId);
  await retryOnConflict(async () => {
    const { state, version } = await load(store, stream, webhookDecider);
    const events = decide(state, reason);
    if (state.status === 'unknown' || events.length === 0) return;
    const { organisationId } = state;
    await store.append([{ organisationId, stream, expectedVersion: version, events }], meta);
  });
}
