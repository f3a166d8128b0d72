import type { Anomaly } from './anomaly.ts';
import type { ProofFact } from './proof-fact.ts';
import type { RecordedCall, ShownProof } from './recorded-call.ts';

/**
 * Checks `evidence`, which follows the log by itself: no wait for it is promised. It is attested
 * only after the record, and it is never pending again after an answer showed it attested.
 */
export function checkEvidence(
  calls: readonly RecordedCall[],
  facts: readonly ProofFact[],
): readonly Anomaly[] {
  const recordedAt = new Map<number, number>();
  for (const fact of facts) {
    if (fact.type === 'attested' && !recordedAt.has(fact.ledgerIndex)) {
      recordedAt.set(fact.ledgerIndex, fact.at);
    }
  }
  const shownAt = new Map<string, number>();
  const found: Anomaly[] = [];
  const byAnswer = calls.toSorted((one, other) => one.answeredAt - other.answeredAt);
  for (const call of byAnswer) {
    for (const item of itemsOf(call)) {
      if (item.evidence !== 'attested') continue;
      const record = recordedAt.get(Number(item.ledgerIndex)) ?? Number.POSITIVE_INFINITY;
      if (record > call.answeredAt + clockSlackMs) {
        found.push({ kind: 'evidenceWentBack', call, detail: { item, recordedAt: record } });
      }
      if (!shownAt.has(item.proofId)) shownAt.set(item.proofId, call.answeredAt);
    }
  }
  for (const call of calls) {
    const item = itemsOf(call).find(
      ({ proofId, evidence }) =>
        evidence === 'pending' && (shownAt.get(proofId) ?? Infinity) < call.invokedAt,
    );
    if (item) found.push({ kind: 'evidenceWentBack', call, detail: { item } });
  }
  return found;
}

const clockSlackMs = 50;

function itemsOf({ answer }: RecordedCall): readonly ShownProof[] {
  if (answer.kind === 'page') return answer.items;
  return answer.kind === 'proof' ? [answer.proof] : [];
}
