import { auditAnswers } from './audit-answers.ts';
import { auditAttestations } from './audit-attestations.ts';
import { auditProofs } from './audit-proofs.ts';
import { auditTransactions } from './audit-transactions.ts';
import type { Evidence } from './evidence.ts';
import type { AccountHistory } from './ledger-history.ts';
import { type Violation, violation } from './violation.ts';

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

/**
 * Checks that the service signed and recorded every transaction of the account, with the Sequence
 * and the memo on the ledger. Checks also that the ledger's history of the account has no gap.
 */
function auditAccount(
  { address, firstSequence, nextSequence, sent }: AccountHistory,
  { transactions, proofs }: Pick<Evidence, 'transactions' | 'proofs'>,
): readonly Violation[] {
  const logged = new Map(transactions.map((transaction) => [transaction.txHash, transaction]));
  const proofById = new Map(proofs.map((proof) => [proof.proofId, proof]));
  const found: Violation[] = [];
  for (const shown of sent) {
    const signed = logged.get(shown.txHash);
    if (signed?.account !== address || signed.sequence !== shown.sequence) {
      found.push(violation('foreignTransaction', { address, shown, signed }));
      continue;
    }
    const proof = signed.proofId === null ? null : proofById.get(signed.proofId);
    const isRight =
      shown.memo?.fileHash === proof?.commitment && shown.memo?.hashScheme === proof?.hashScheme;
    if (!isRight) found.push(violation('anotherMemo', { address, shown, proof }));
  }
  const sequences = sent.map(({ sequence }) => sequence).sort((a, b) => a - b);
  const isWhole =
    sequences.length === nextSequence - firstSequence &&
    sequences.every((sequence, index) => sequence === firstSequence + index);
  return isWhole
    ? found
    : [...found, violation('sequenceGap', { address, firstSequence, nextSequence, sequences })];
}
