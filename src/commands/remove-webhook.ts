import { streams } from '../domain/streams.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import { webhookPlacesDecider } from '../domain/webhook/places-decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { loadNewest } from '../event-store/handling/load.ts';
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
  const decide = async () => {
    const endpoint = await loadWebhook(store, of);
    const place = await loadNewest(store, places, webhookPlacesDecider);
    const removed = webhookDecider.remove(endpoint.state);
    const freed = webhookPlacesDecider.free(place.state, webhookId);
    return {
      entries: [
        { organisationId, stream, expectedVersion: endpoint.version, events: removed },
        { organisationId, stream: places, expectedVersion: place.version, events: freed },
      ],
    };
  };
  await turns.take(places, () => handleStreams(store, decide, meta));
}
