import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';

export interface KnownLedgers {
  /**
   * Returns true for a development ledger of this project; false if the ledger is not on record.
   */
  isStandalone(ledgerId: string): Promise<boolean>;
}

/** Reads from the log how a ledger was joined. The record never changes, so it is cached. */
export function createKnownLedgers(store: Pick<EventStore, 'readStream'>): KnownLedgers {
  const known = new Map<string, boolean>();
  const read = async (ledgerId: string): Promise<boolean> => {
    const events = await store.readStream(streams.ledger(ledgerId));
    const joined = events.find((event) => event.type === 'LedgerJoined');
    if (joined === undefined) return false;
    known.set(ledgerId, joined.data.standalone);
    return joined.data.standalone;
  };
  return { isStandalone: async (ledgerId) => known.get(ledgerId) ?? read(ledgerId) };
}
