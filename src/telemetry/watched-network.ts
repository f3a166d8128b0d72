import type { LedgerGateway } from '../ledger/contract.ts';

/** A network, and the accounts that are configured for it. */
export interface WatchedNetwork {
  readonly gateway: Pick<LedgerGateway, 'network' | 'current' | 'status' | 'servers' | 'account'>;
  readonly addresses: readonly string[];
}
