import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Network } from '../network.ts';

/**
 * First contact with a ledger. The validated ledger at that moment identifies a network that can be
 * reset.
 */
export type LedgerJoined = EventOf<
  'LedgerJoined',
  {
    readonly ledgerId: string;
    readonly network: Network;
    readonly networkId: number;
    readonly standalone: boolean;
    readonly index: number;
    readonly hash: string;
    /**
     * Close time of that ledger, in seconds since 2000-01-01T00:00:00Z; null if it was not
     * recorded.
     */
    readonly closeTime: number | null;
  }
>;

/**
 * An operator confirmed that a validated ledger belongs to the known chain. No server has the
 * ledgers between, which would prove it, or the newest known ledger before it was invented.
 */
export type LedgerRecognised = EventOf<
  'LedgerRecognised',
  {
    readonly ledgerId: string;
    readonly index: number;
    readonly hash: string;
    readonly closeTime: number;
  }
>;

/** The ledger no longer exists: its network was reset. */
type LedgerGone = EventOf<'LedgerGone', { readonly ledgerId: string }>;

export type LedgerEvent = LedgerJoined | LedgerRecognised | LedgerGone;

export const ledgerEvents: DefinitionsOf<LedgerEvent> = {
  LedgerJoined: {
    schema: 2,
    clear: ['ledgerId', 'network', 'networkId', 'standalone', 'index', 'hash', 'closeTime'],
    upcasts: { 1: (data) => ({ ...data, closeTime: null }) },
  },
  LedgerRecognised: { schema: 1, clear: ['ledgerId', 'index', 'hash', 'closeTime'] },
  LedgerGone: { schema: 1, clear: ['ledgerId'] },
};
