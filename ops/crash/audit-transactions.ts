import type { Evidence } from './evidence.ts';
import type { SentTransaction } from './ledger-history.ts';
import type { LoggedTransaction } from './logged-history.ts';
import { type Violation, violation } from './violation.ts';

/**
 * Checks that the ledger shows the recorded outcome of every signed transaction, and that no
 * Sequence was allocated while it was in use.
 */
export function auditTransactions({
  transactions,
  taken,
  ledger,
}: Pick<Evidence, 'transactions' | 'taken' | 'ledger'>): readonly Violation[] {
  const sent = new Map(ledger.flatMap((account) => account.sent.map((tx) => [tx.txHash, tx])));
  const bySequence = Map.groupBy(transactions, nameOf);
  const takings = new Set(taken.map((one) => `${nameOf(one)} ${one.proofId}`));
  const notTaken = transactions.filter(
    (signed) => signed.proofId !== null && !takings.has(`${nameOf(signed)} ${signed.proofId}`),
  );
  return [
    ...transactions.flatMap((signed) => auditOutcome(signed, sent.get(signed.txHash))),
    ...[...bySequence.values()].flatMap(auditSequence),
    ...notTaken.map((signed) => violation('sequenceNotTaken', { signed })),
  ];
}

function auditOutcome(
  signed: LoggedTransaction,
  shown: SentTransaction | undefined,
): readonly Violation[] {
  const detail = { signed, shown };
  const result = shown?.result;
  switch (signed.outcome) {
    case 'open':
      return [violation('unsettled', detail)];
    case 'validated':
      return result === 'tesSUCCESS' ? [] : [violation('completedButNotOnLedger', detail)];
    case 'failed':
      return result?.startsWith('tec') ? [] : [violation('completedButNotOnLedger', detail)];
    case 'absent':
    case 'replaced':
    case 'ledgerGone':
      return shown === undefined ? [] : [violation('absentButOnLedger', detail)];
  }
}

/**
 * Checks the transactions of one Sequence: only a definitely absent transaction frees it. A
 * replacement takes it over from the transaction that it replaces.
 */
function auditSequence(signed: readonly LoggedTransaction[]): readonly Violation[] {
  return signed.flatMap((next, index) => {
    const before = signed[index - 1];
    if (before === undefined || next.replaces === before.txHash) return [];
    const freedAt = before.outcome === 'absent' ? before.settledAt : null;
    return freedAt !== null && freedAt < next.preparedAt
      ? []
      : [violation('sequenceTakenTwice', { before, next })];
  });
}

function nameOf({ account, sequence }: Pick<LoggedTransaction, 'account' | 'sequence'>): string {
  return `${account} ${sequence}`;
}
