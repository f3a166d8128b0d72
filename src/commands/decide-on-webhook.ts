import { streams } from '../domain/streams.ts';
import type { WebhookDecision } from '../domain/webhook/decide.ts';
import type { WebhookEndpoint } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadWebhook, type OwnWebhook } from './load-webhook.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Loads an endpoint, decides, and appends what was decided; starts over while others change it.
 * Refuses with WEBHOOK_NOT_FOUND.
 */
export async function decideOnWebhook(
  store: EventStore,
  of: OwnWebhook,
  decide: (webhook: WebhookEndpoint) => WebhookDecision,
  meta: EventMeta,
): Promise<void> {
  const { organisationId, webhookId } = of;
  const stream = streams.webhook(webhookId);
  await retryOnConflict(async () => {
    const { state, version } = await loadWebhook(store, of);
    const events = decide(state);
    if (events.length === 0) return;
    await store.append([{ organisationId, stream, expectedVersion: version, events }], meta);
  });
}
