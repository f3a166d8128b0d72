import type { WebhookEndpoint } from '../../domain/webhook/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadWebhook, type OwnWebhook } from '../../loading/load-webhook.ts';
import type { Delivery, WebhookDeliveries } from '../../webhooks/contract.ts';
import { viewDelivery } from './view-delivery.ts';
import type { WebhookData } from './webhook-schema.ts';

/** Dependencies of showing an endpoint. */
export interface WebhookViewDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'last'>;
}

/** An endpoint as its owner sees it, without its secrets. */
export function viewWebhook(webhook: WebhookEndpoint, last: Delivery | undefined): WebhookData {
  return {
    id: webhook.webhookId,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    status: webhook.status,
    createdAt: webhook.createdAt,
    disabledAt: webhook.status === 'disabled' ? webhook.disabledAt : null,
    lastDelivery: last === undefined ? null : viewDelivery(last),
  };
}

/** Current state of the organisation's endpoint. Refuses with WEBHOOK_NOT_FOUND. */
export async function readWebhook(
  { store, webhooks }: WebhookViewDeps,
  of: OwnWebhook,
): Promise<WebhookData> {
  const { state } = await loadWebhook(store, of);
  const last = await webhooks.last([of.webhookId]);
  return viewWebhook(state, last.get(of.webhookId));
}
