import type { Observation, Report } from './callers.ts';
import type { AccountHistory } from './ledger-history.ts';
import type { LoggedProof, LoggedTransaction, TakenSequence } from './logged-history.ts';
import type { LoggedLedgers } from './logged-ledgers.ts';

/** Evidence for the audit: answers to callers, history of the log, history of the ledger. */
export interface Evidence {
  readonly observations: readonly Observation[];
  readonly reports: readonly Report[];
  readonly proofs: readonly LoggedProof[];
  readonly transactions: readonly LoggedTransaction[];
  readonly taken: readonly TakenSequence[];
  readonly ledger: readonly AccountHistory[];
  /** Without keys of publishers, the ledger has no validators. */
  readonly attesting: Pick<LoggedLedgers, 'ledgers' | 'attestations' | 'lists'> & {
    readonly publisherKeys: readonly string[];
  };
}
