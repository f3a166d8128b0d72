import type { EventStore } from '../../src/event-store/event-store.ts';

/**
 * Types of all events so far, in order. Leaves out `NonceDelivered`, which follows an answer in the
 * background.
 */
export async function eventTypes(store: Pick<EventStore, 'readLog'>): Promise<string[]> {
  const types = (await store.readLog(0, 10_000)).map(({ type }) => type);
  return types.filter((type) => type !== 'NonceDelivered');
}
