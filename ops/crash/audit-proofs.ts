import type { Evidence } from './evidence.ts';
import { type LedgerProof, proofsOf } from './ledger-history.ts';
import { hasOutcome, type LoggedProof, type LoggedTransaction } from './logged-history.ts';
import { type Violation, violation } from './violation.ts';

/**
 * Checks that every proof is settled, and that it is on the ledger once if it was anchored,
 * otherwise not at all.
 */
export function auditProofs({
  proofs,
  transactions,
  ledger,
}: Pick<Evidence, 'proofs' | 'transactions' | 'ledger'>): readonly Violation[] {
  const done = ledger.flatMap(proofsOf).filter(({ result }) => result === 'tesSUCCESS');
  const byTx = new Map(done.map((proof) => [proof.txHash, proof]));
  const signedFor = Map.groupBy(transactions, ({ proofId }) => proofId);
  const copies = Map.groupBy(done, ({ fileHash }) => fileHash);
  return [
    ...auditLedger(done, proofs),
    ...[...copies.values()]
      .filter(({ length }) => length > 1)
      .map((onLedger) => violation('doubleAnchored', { onLedger })),
    ...proofs.flatMap((proof) => auditProof(proof, signedFor.get(proof.proofId) ?? [], byTx)),
    ...[...Map.groupBy(proofs, ({ fileHash }) => fileHash).values()].flatMap(auditHash),
  ];
}

/** Checks that every successful transaction on the ledger completed its proof. */
function auditLedger(
  done: readonly LedgerProof[],
  proofs: readonly LoggedProof[],
): readonly Violation[] {
  const anchored = new Set(proofs.flatMap((proof) => proof.anchored.map(({ txHash }) => txHash)));
  const unknown = done.filter(({ txHash }) => !anchored.has(txHash));
  return unknown.map((shown) => violation('lost', { shown }));
}

function auditProof(
  proof: LoggedProof,
  signed: readonly LoggedTransaction[],
  byTx: ReadonlyMap<string, LedgerProof>,
): readonly Violation[] {
  const shown = signed.flatMap(({ txHash }) => byTx.get(txHash) ?? []);
  const found: Violation[] = [];
  if (!hasOutcome(proof)) found.push(violation('unsettled', { proof }));
  if (shown.length > 1 || proof.anchored.length > 1) {
    found.push(violation('doubleAnchored', { proof, shown }));
  }
  if (proof.withdrawnAt !== null && shown.length > 0) {
    found.push(violation('rolledBackButOnLedger', { proof, shown }));
  }
  for (const { txHash, ledgerIndex } of proof.anchored) {
    const own = byTx.get(txHash);
    if (own?.fileHash === proof.commitment && own.ledgerIndex === ledgerIndex) continue;
    found.push(violation('completedButNotOnLedger', { proof, shown: own }));
  }
  return found;
}

/** A hash may have only one proof that was not withdrawn. */
function auditHash(proofs: readonly LoggedProof[]): readonly Violation[] {
  const live = proofs.filter(({ withdrawnAt }) => withdrawnAt === null);
  return live.length > 1 ? [violation('doubleAnchored', { proofsOfOneHash: live })] : [];
}
