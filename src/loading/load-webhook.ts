import { streams } from '../domain/streams.ts';
import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import { isEndpoint, requireWebhook } from '../domain/webhook/require-webhook.ts';
import type { WebhookEndpoint } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold, type Loaded, load } from '../event-store/handling/load.ts';

/** An endpoint and its owner. */
export interface OwnWebhook {
  readonly organisationId: OrganisationId;
  readonly webhookId: WebhookId;
}

/**
 * The organisation's endpoint as it is now. Refuses with WEBHOOK_NOT_FOUND, without distinguishing
 * an absent or deleted one from another organisation's.
 */
export async function loadWebhook(
  store: Pick<EventStore, 'readStream'>,
  { organisationId, webhookId }: OwnWebhook,
): Promise<Loaded<WebhookEndpoint>> {
  const { state, version } = await load(store, streams.webhook(webhookId), webhookDecider);
  return { state: requireWebhook(state, organisationId), version };
}

/** The endpoints that exist, in the given order. */
export async function readWebhooks(
  store: Pick<EventStore, 'readStreams'>,
  webhookIds: readonly WebhookId[],
): Promise<readonly WebhookEndpoint[]> {
  const found = await store.readStreams(webhookIds.map(streams.webhook));
  return webhookIds.flatMap((webhookId) => {
    const events = found.get(streams.webhook(webhookId)) ?? [];
    const { state } = fold(events, webhookDecider);
    return isEndpoint(state) ? [state] : [];
  });
}
