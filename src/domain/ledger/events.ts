import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Network } from '../network.ts';

/** The first contact with a ledger: the validated ledger at which we joined names a resettable one. */
export type LedgerJoined = EventOf<
  'LedgerJoined',
  {
    readonly ledgerId: string;
    readonly network: Network;
    readonly networkId: number;
    readonly standalone: boolean;
    readonly index: number;
    readonly hash: string;
    /** Of that ledger, in seconds since 2000-01-01T00:00:00Z; null where it was not noted. */
    readonly closeTime: number | null;
  }
>;

/**
 * An operator vouches that a validated ledger belongs to the known one, where no server shows the
 * ledgers between by which that could be seen.
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
export type LedgerGone = EventOf<'LedgerGone', { readonly ledgerId: string }>;

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
