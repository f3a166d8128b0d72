import { auditAccount } from './audit-account.ts';
import { auditAnswers } from './audit-answers.ts';
import { auditAttestations } from './audit-attestations.ts';
import { auditProofs } from './audit-proofs.ts';
import { auditTransactions } from './audit-transactions.ts';
import type { Evidence } from './evidence.ts';
import type { Violation } from './violation.ts';

/**
 * Compares answers, log and ledger after all proofs are settled. Each difference is a violation.
 */
export function audit(evidence: Evidence): readonly Violation[] {
  return [
    ...evidence.ledger.flatMap((account) => auditAccount(account, evidence)),
    ...auditTransactions(evidence),
    ...auditProofs(evidence),
    ...auditAnswers(evidence),
    ...auditAttestations(evidence.attesting),
  ];
}
