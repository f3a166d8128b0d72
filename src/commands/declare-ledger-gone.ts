import type { LedgerEvent } from '../domain/ledger/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Declares that a ledger no longer exists because its network was reset. The anchoring reactor then
 * settles what was signed for it, and joins the ledger that is there now. Nothing if it is declared
 * already.
 */
export async function declareLedgerGone(
  store: EventStore,
  ledgerId: string,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.ledger(ledgerId);
  await retryOnConflict(async () => {
    const events = await store.readStream(stream);
    if (events.some(({ type }) => type === 'LedgerGone')) return;
    const gone: LedgerEvent = { type: 'LedgerGone', data: { ledgerId } };
    const entry = { organisationId: null, stream, expectedVersion: events.length, events: [gone] };
    await store.append([entry], meta);
  });
}
