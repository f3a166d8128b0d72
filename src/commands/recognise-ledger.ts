import type { LedgerEvent, LedgerRecognised } from '../domain/ledger/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Puts on record that an operator vouches for a validated ledger as one of the known chain. The
 * anchoring reactor then goes on from there.
 */
export async function recogniseLedger(
  store: EventStore,
  recognised: LedgerRecognised['data'],
  meta: EventMeta,
): Promise<void> {
  const stream = streams.ledger(recognised.ledgerId);
  const event: LedgerEvent = { type: 'LedgerRecognised', data: recognised };
  await retryOnConflict(async () => {
    const expectedVersion = await store.versionOf(stream);
    const entry = { organisationId: null, stream, expectedVersion, events: [event] };
    await store.append([entry], meta);
  });
}
