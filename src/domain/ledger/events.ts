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
  }
>;

/** The ledger no longer exists: its network was reset. */
export type LedgerGone = EventOf<'LedgerGone', { readonly ledgerId: string }>;

export type LedgerEvent = LedgerJoined | LedgerGone;

export const ledgerEvents: DefinitionsOf<LedgerEvent> = {
  LedgerJoined: {
    schema: 1,
    clear: ['ledgerId', 'network', 'networkId', 'standalone', 'index', 'hash'],
  },
  LedgerGone: { schema: 1, clear: ['ledgerId'] },
};
