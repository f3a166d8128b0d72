import type { AttestedAnchor } from '../verifier/check/attested-anchor.ts';
import type { ServiceAnswer } from './ask-service.js';

/** Answer of public verification about a transaction. */
export interface Verification {
  transactionHash: string;
  network: 'mainnet' | 'testnet' | 'standalone';
  standalone: boolean;
  verified: boolean;
  explorerUrl: string;
  ledgerIndex: number;
  ledgerCloseTime: string;
  memo: Record<string, unknown> | null;
  account: string;
  reason?: string;
  reasonCode?: string;
  /** Set if signatures of the ledger's validators show the same. */
  validators?: Validators | null;
  /**
   * Name of the ledger server that gave this answer, if the reader named one. Without validators and
   * server the answer is the word of the service alone.
   */
  server?: string;
  /** False if the service did not say that the account is its own. */
  isOwn?: boolean;
}

export type Answer = ServiceAnswer<Verification, 'no' | 'ledgerSilent'>;

/** Word of the ledger's validators. `isSample`: of a made-up network, so nothing is proven. */
export type Validators = AttestedAnchor & { isSample?: boolean };
