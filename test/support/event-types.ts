import type { EventStore } from '../../src/event-store/event-store.ts';

/**
 * Types of all events so far, or of those of an organisation, in order. Leaves out `NonceDelivered`,
 * which follows an answer in the background.
 */
export async function eventTypes(
  store: Pick<EventStore, 'readLog'>,
  organisation?: string,
): Promise<string[]> {
  const events = await store.readLog(0, 10_000);
  return events
    .filter(({ organisationId }) => organisation === undefined || organisationId === organisation)
    .map(({ type }) => type)
    .filter((type) => type !== 'NonceDelivered');
}
