import type { Anomaly } from './anomaly.ts';
import { checkEvidence } from './check-evidence.ts';
import { explain } from './explain.ts';
import { placeCalls } from './place-calls.ts';
import type { ProofChange, ProofFact } from './proof-fact.ts';
import type { RecordedCall } from './recorded-call.ts';

/**
 * Finds the answers that the event log does not allow. An answer is allowed if the log, folded up to
 * some moment, gives exactly this answer. That moment must include all that answers before the call
 * had shown to any client of the organisation, and nothing that was recorded after the answer.
 */
export function checkHistories(
  calls: readonly RecordedCall[],
  facts: readonly ProofFact[],
): readonly Anomaly[] {
  const changes = facts.filter((fact): fact is ProofChange => fact.type !== 'attested');
  const changesOf = Map.groupBy(changes, ({ organisationId }) => organisationId);
  const ownerOf = new Map(changes.map(({ proofId, organisationId }) => [proofId, organisationId]));
  const found: Anomaly[] = [];
  for (const [organisationId, own] of Map.groupBy(calls, (call) => call.organisationId)) {
    const unexpected = own.filter(isUnexpected);
    found.push(
      ...unexpected.map((call) => ({ kind: 'unexpectedAnswer', call, detail: {} }) as const),
    );
    const ownChanges = changesOf.get(organisationId) ?? [];
    const placed = placeCalls(
      own.filter((call) => !isUnexpected(call)),
      ownChanges,
    );
    const by = { placed, changes: ownChanges, ownerOf };
    for (const [call, moments] of placed) {
      if (moments.at === null) found.push(explain(call, moments, by));
    }
  }
  return [...found, ...checkEvidence(calls, facts)];
}

/** Codes of refusals that a call of the harness may get. */
const expectedCodes = {
  post: ['XRPL_ERROR', 'PROOF_NOT_RECORDED'],
  get: ['PROOF_NOT_FOUND'],
  list: [],
} as const satisfies Record<RecordedCall['request']['kind'], readonly string[]>;

function isUnexpected({ request, answer }: RecordedCall): boolean {
  if (answer.kind !== 'refused') return false;
  const codes: readonly string[] = expectedCodes[request.kind];
  return answer.code === null || !codes.includes(answer.code);
}
