import { streams } from '../domain/streams.ts';
import { type WebhookChange, webhookDecider } from '../domain/webhook/decider.ts';
import { requireDeliverable } from '../domain/webhook/require-deliverable.ts';
import { requireWebhook } from '../domain/webhook/require-webhook.ts';
import type { WebhookState } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadWebhook, type OwnWebhook } from '../loading/load-webhook.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';

export interface ChangeWebhookDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'checkUrl'>;
}

/**
 * Changes an endpoint, disables it or enables it again. Refuses with WEBHOOK_NOT_FOUND, and with
 * INVALID_REQUEST for a URL to which nothing may be delivered, and after `maxChanges` changes. `seen`:
 * version of the endpoint's stream on which the change was decided; rejects with `ChangedMeanwhile`
 * if it has another one.
 */
export async function changeWebhook(
  deps: ChangeWebhookDeps,
  of: OwnWebhook,
  change: WebhookChange,
  meta: EventMeta,
  seen: number | null = null,
): Promise<void> {
  const { store, webhooks } = deps;
  // Look up host names only for callers that own such an endpoint.
  await loadWebhook(store, of);
  if (change.url !== undefined) requireDeliverable(await webhooks.checkUrl(change.url));
  const command = (state: WebhookState) =>
    webhookDecider.change(requireWebhook(state, of.organisationId), change);
  const stream = streams.webhook(of.webhookId);
  await handle(store, stream, webhookDecider, command, meta, seen);
}
