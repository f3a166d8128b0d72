import { streams } from '../domain/streams.ts';
import { deleteWebhook as decide } from '../domain/webhook/decide.ts';
import { freePlace } from '../domain/webhook/places.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadWebhook, type OwnWebhook } from './load-webhook.ts';
import { placeEntry } from './place-entry.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { Turns } from './turns.ts';

/** Deletes an endpoint for good and frees its place. Refuses with WEBHOOK_NOT_FOUND. */
export async function deleteWebhook(
  deps: { readonly store: EventStore; readonly turns: Turns },
  of: OwnWebhook,
  meta: EventMeta,
): Promise<void> {
  const { store, turns } = deps;
  const { organisationId, webhookId } = of;
  const stream = streams.webhook(webhookId);
  await turns.take(streams.webhookPlaces(organisationId), () =>
    retryOnConflict(async () => {
      const { state, version } = await loadWebhook(store, of);
      const entry = { organisationId, stream, expectedVersion: version, events: decide(state) };
      const place = await placeEntry(store, organisationId, (taken) => freePlace(taken, webhookId));
      await store.append([entry, place], meta);
    }),
  );
}
