import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';

export interface KnownLedgers {
  /** Whether it is the development ledger of this project; false where that is not on record. */
  isStandalone(ledgerId: string): Promise<boolean>;
}

/** Reads from the log what was seen when a ledger was joined: it never changes, so it is kept. */
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
