import { type LedgerState, ledgerDecider } from '../domain/ledger/decider.ts';
import type { LedgerRecognised } from '../domain/ledger/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Records that an operator vouches for a validated ledger as part of the known chain. The anchoring
 * reactor then continues from there.
 */
export async function recogniseLedger(
  store: EventStore,
  recognised: LedgerRecognised['data'],
  meta: EventMeta,
): Promise<void> {
  const command = (state: LedgerState) => ledgerDecider.recognise(state, recognised);
  await handle(store, streams.ledger(recognised.ledgerId), ledgerDecider, command, meta);
}
