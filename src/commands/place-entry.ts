import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { WebhookPlaceEvent } from '../domain/webhook/events.ts';
import { takenAfter } from '../domain/webhook/places.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';

/**
 * The part of an append that takes or frees a place among the organisation's endpoints, as `decide`
 * says for so many that are taken. Appended with the endpoint's events it can neither be lost nor
 * counted twice.
 */
export async function placeEntry(
  store: Pick<EventStore, 'readLast'>,
  organisationId: OrganisationId,
  decide: (taken: number) => readonly WebhookPlaceEvent[],
): Promise<StreamAppend> {
  const stream = streams.webhookPlaces(organisationId);
  const last = await store.readLast(stream);
  const events = decide(takenAfter(last));
  return { organisationId, stream, expectedVersion: last?.version ?? 0, events };
}
