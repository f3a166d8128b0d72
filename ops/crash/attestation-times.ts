import type { LoggedLedger } from './logged-ledgers.ts';

/** Milliseconds from the record of each anchored proof until its ledger was attested. */
export function attestationTimes(ledgers: readonly LoggedLedger[]) {
  const times = ledgers
    .flatMap(({ anchoredAt, attestation }) =>
      attestation === null ? [] : anchoredAt.map((at) => Math.max(0, attestation.at - at)),
    )
    .sort((a, b) => a - b);
  const quantile = (part: number) => times[Math.ceil(times.length * part) - 1] ?? null;
  const proofsIn = (some: readonly LoggedLedger[]) =>
    some.reduce((sum, { anchoredAt }) => sum + anchoredAt.length, 0);
  const linked = ledgers.filter(({ attestation }) => attestation?.event.type === 'LedgerLinked');
  return {
    ledgers: ledgers.length,
    linkedLedgers: linked.length,
    proofs: proofsIn(ledgers),
    attestedProofs: times.length,
    linkedProofs: proofsIn(linked),
    slowest: slowestOf(ledgers),
    ms: { p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) },
  };
}

/** The ledgers that took longest. */
function slowestOf(ledgers: readonly LoggedLedger[]) {
  const rows = ledgers.flatMap(({ ledgerIndex, anchoredAt, attestation }) => {
    const [since] = anchoredAt;
    if (attestation === null || since === undefined) return [];
    const { type, data } = attestation.event;
    const attestedIndex = type === 'LedgerLinked' ? data.attestedIndex : ledgerIndex;
    const anchoredIso = new Date(since).toISOString();
    return [{ ledgerIndex, attestedIndex, anchoredIso, ms: attestation.at - since }];
  });
  return rows.sort((a, b) => b.ms - a.ms).slice(0, 10);
}
