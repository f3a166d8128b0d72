import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import type { WebhookEndpoint, WebhookState } from '../domain/webhook/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold, type Loaded, load } from './load.ts';

/** Whose endpoint is meant, and which. */
export interface OwnWebhook {
  readonly organisationId: OrganisationId;
  readonly webhookId: WebhookId;
}

/**
 * The organisation's endpoint as it is now. Refuses with WEBHOOK_NOT_FOUND, without telling an
 * absent or deleted one from another organisation's.
 */
export async function loadWebhook(
  store: Pick<EventStore, 'readStream'>,
  { organisationId, webhookId }: OwnWebhook,
): Promise<Loaded<WebhookEndpoint>> {
  const stream = streams.webhook(webhookId);
  const { state, version } = await load(store, stream, webhookDecider);
  if (isThere(state) && state.organisationId === organisationId) return { state, version };
  throw new Refusal('WEBHOOK_NOT_FOUND', 'there is no such webhook endpoint');
}

/** Those of the endpoints that are there, in the order in which they were named. */
export async function readWebhooks(
  store: Pick<EventStore, 'readStreams'>,
  webhookIds: readonly WebhookId[],
): Promise<readonly WebhookEndpoint[]> {
  const found = await store.readStreams(webhookIds.map(streams.webhook));
  return webhookIds.flatMap((webhookId) => {
    const events = found.get(streams.webhook(webhookId)) ?? [];
    const { state } = fold(events, webhookDecider);
    return isThere(state) ? [state] : [];
  });
}

function isThere(state: WebhookState): state is WebhookEndpoint {
  return state.status === 'active' || state.status === 'disabled';
}
