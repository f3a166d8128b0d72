import { auditAccount } from './audit-account.ts';
import { auditAnswers } from './audit-answers.ts';
import { auditProofs } from './audit-proofs.ts';
import { auditTransactions } from './audit-transactions.ts';
import type { Observation, Report } from './callers.ts';
import type { AccountHistory } from './ledger-history.ts';
import type { LoggedProof, LoggedTransaction, TakenSequence } from './logged-history.ts';
import type { Violation } from './violation.ts';

/** What the callers were told, what the log says and what the ledger holds. */
export interface Evidence {
  readonly observations: readonly Observation[];
  readonly reports: readonly Report[];
  readonly proofs: readonly LoggedProof[];
  readonly transactions: readonly LoggedTransaction[];
  readonly taken: readonly TakenSequence[];
  readonly ledger: readonly AccountHistory[];
}

/** Compares the three, once all is settled; everything in which they differ is a violation. */
export function audit(evidence: Evidence): readonly Violation[] {
  return [
    ...evidence.ledger.flatMap((account) => auditAccount(account, evidence)),
    ...auditTransactions(evidence),
    ...auditProofs(evidence),
    ...auditAnswers(evidence),
  ];
}
