import { type LedgerState, ledgerDecider } from '../domain/ledger/decider.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Declares that a ledger no longer exists because its network was reset. The anchoring reactor then
 * settles the transactions signed for it, and joins the new ledger. Appends nothing if the ledger
 * was declared gone before.
 */
export async function declareLedgerGone(
  store: EventStore,
  ledgerId: string,
  meta: EventMeta,
): Promise<void> {
  const command = (state: LedgerState) => ledgerDecider.declareGone(state, ledgerId);
  await handle(store, streams.ledger(ledgerId), ledgerDecider, command, meta);
}
