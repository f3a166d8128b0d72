import { streams } from '../domain/streams.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import { webhookPlacesDecider } from '../domain/webhook/places-decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { decideOnCount } from '../event-store/handling/decide-on-count.ts';
import { retryInTurn } from '../event-store/handling/retry-on-conflict.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadWebhook, type OwnWebhook } from '../loading/load-webhook.ts';

export interface RemoveWebhookDeps {
  readonly store: EventStore;
  readonly turns: Turns;
}

/** Deletes an endpoint for good and frees its place. Refuses with WEBHOOK_NOT_FOUND. */
export async function removeWebhook(
  deps: RemoveWebhookDeps,
  of: OwnWebhook,
  meta: EventMeta,
): Promise<void> {
  const { store, turns } = deps;
  const { organisationId, webhookId } = of;
  const stream = streams.webhook(webhookId);
  const places = streams.webhookPlaces(organisationId);
  const free = (taken: number) => webhookPlacesDecider.free(taken, webhookId);
  await retryInTurn(turns, places, async () => {
    const { state, version } = await loadWebhook(store, of);
    const entry = {
      organisationId,
      stream,
      expectedVersion: version,
      events: webhookDecider.remove(state),
    };
    const freed = await decideOnCount(store, places, organisationId, webhookPlacesDecider, free);
    await store.append([entry, freed], meta);
  });
}
