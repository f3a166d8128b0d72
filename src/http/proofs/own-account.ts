import type { Network } from '../../domain/network.ts';

/** A ledger account of this service. */
export interface OwnAccount {
  readonly network: Network;
  readonly address: string;
}
