import { changeWebhook as decide, type WebhookChange } from '../domain/webhook/decide.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import { decideOnWebhook } from './decide-on-webhook.ts';
import { loadWebhook, type OwnWebhook } from './load-webhook.ts';

/**
 * Changes an endpoint, disables it or enables it again. Refuses with WEBHOOK_NOT_FOUND, and with
 * INVALID_REQUEST a URL that nothing may be delivered to.
 */
export async function changeWebhook(
  deps: {
    readonly store: EventStore;
    readonly webhooks: Pick<WebhookDeliveries, 'checkUrl'>;
  },
  of: OwnWebhook,
  change: WebhookChange,
  meta: EventMeta,
): Promise<void> {
  const { store, webhooks } = deps;
  // Names are looked up for those alone who have such an endpoint.
  await loadWebhook(store, of);
  if (change.url !== undefined) await checkWebhookUrl(webhooks, change.url);
  await decideOnWebhook(store, of, (webhook) => decide(webhook, change), meta);
}
