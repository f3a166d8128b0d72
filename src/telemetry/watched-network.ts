import type { LedgerGateway } from '../ledger/contract.ts';

/** A network and its configured accounts. */
export interface WatchedNetwork {
  readonly gateway: Pick<
    LedgerGateway,
    | 'name'
    | 'current'
    | 'status'
    | 'submissionsWithin'
    | 'submissionsWaiting'
    | 'servers'
    | 'account'
  >;
  readonly addresses: readonly string[];
}
