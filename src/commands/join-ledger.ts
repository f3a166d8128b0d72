import { type LedgerState, ledgerDecider, ledgerIdOf } from '../domain/ledger/decider.ts';
import type { Network } from '../domain/network.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Records the first contact with a ledger, at a validated ledger `tip` that its servers show.
 * Appends nothing if the ledger was joined before, as by another process just now.
 *
 * Read the log to find out whether this join has named the ledger of the network.
 */
export async function joinLedger(
  store: EventStore,
  of: {
    readonly network: Network;
    readonly networkId: number;
    readonly standalone: boolean;
    readonly tip: { readonly index: number; readonly hash: string; readonly closeTime: number };
  },
  meta: EventMeta,
): Promise<void> {
  const { network, networkId, standalone, tip } = of;
  const ledgerId = ledgerIdOf(network, networkId, tip.hash);
  const joined = { ledgerId, network, networkId, standalone, ...tip };
  const command = (state: LedgerState) => ledgerDecider.join(state, joined);
  await handle(store, streams.ledger(ledgerId), ledgerDecider, command, meta);
}
