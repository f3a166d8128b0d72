import { createHmac } from 'node:crypto';
import { isPlain, type Observation } from './callers.ts';
import type { LedgerProof } from './ledger-history.ts';
import { isSettled, type LoggedProof } from './logged-proofs.ts';

/** A promise that was broken: which one, and what shows it. */
export interface Violation {
  readonly kind:
    | 'lost'
    | 'doubleAnchored'
    | 'completedButNotOnLedger'
    | 'rolledBackButOnLedger'
    | 'unsettled'
    | 'unexpectedAnswer';
  readonly detail: object;
}

export interface Evidence {
  readonly observations: readonly Observation[];
  readonly logged: readonly LoggedProof[];
  readonly onLedger: readonly LedgerProof[];
}

/** Compares what the callers were told, what the log says and what the ledger holds. */
export function audit({ observations, logged, onLedger }: Evidence): readonly Violation[] {
  const done = onLedger.filter(({ result }) => result === 'tesSUCCESS');
  const byTx = new Map(done.map((proof) => [proof.txHash, proof]));
  const byHash = Map.groupBy(logged, ({ fileHash }) => fileHash);
  const byId = new Map(logged.map((proof) => [proof.proofId, proof]));
  return [
    ...auditLedger(done, logged),
    ...logged.flatMap((proof) => auditProof(proof, byTx)),
    ...[...byHash.values()].flatMap(auditHash),
    ...observations.flatMap((seen) => {
      const proof = seen.proof === null ? undefined : byId.get(seen.proof.proofId);
      return auditAnswer(seen, proof, byHash.get(seen.hash) ?? [], byTx);
    }),
  ];
}

function auditLedger(
  done: readonly LedgerProof[],
  logged: readonly LoggedProof[],
): readonly Violation[] {
  const anchored = new Set(logged.flatMap((proof) => proof.anchored.map(({ txHash }) => txHash)));
  const unknown = done.filter(({ txHash }) => !anchored.has(txHash));
  const copies = [...Map.groupBy(done, ({ fileHash }) => fileHash).values()];
  return [
    ...unknown.map((proof) => violation('lost', { ledgerOnly: proof })),
    ...copies
      .filter(({ length }) => length > 1)
      .map((transactions) => violation('doubleAnchored', { transactions })),
  ];
}

function auditProof(
  proof: LoggedProof,
  byTx: ReadonlyMap<string, LedgerProof>,
): readonly Violation[] {
  const transactions = proof.prepared.filter((txHash) => byTx.has(txHash));
  const found: Violation[] = [];
  if (!isSettled(proof)) found.push(violation('unsettled', { proof }));
  if (transactions.length > 1 || proof.anchored.length > 1) {
    found.push(violation('doubleAnchored', { proof, transactions }));
  }
  if (proof.withdrawnAt !== null && transactions.length > 0) {
    found.push(violation('rolledBackButOnLedger', { proof, transactions }));
  }
  for (const { txHash, ledgerIndex } of proof.anchored) {
    const shown = byTx.get(txHash);
    if (shown?.fileHash === proof.commitment && shown.ledgerIndex === ledgerIndex) continue;
    found.push(violation('completedButNotOnLedger', { proof, shown }));
  }
  return found;
}

/** Of one hash there is one proof, unless the earlier ones were withdrawn. */
function auditHash(proofs: readonly LoggedProof[]): readonly Violation[] {
  const live = proofs.filter(({ withdrawnAt }) => withdrawnAt === null);
  return live.length > 1 ? [violation('doubleAnchored', { proofsOfOneHash: live })] : [];
}

function auditAnswer(
  seen: Observation,
  proof: LoggedProof | undefined,
  ofHash: readonly LoggedProof[],
  byTx: ReadonlyMap<string, LedgerProof>,
): readonly Violation[] {
  switch (`${seen.status} ${seen.code ?? ''}`.trimEnd()) {
    case '200':
    case '201':
      return isShown(seen, byTx) && isAnchored(proof, seen)
        ? []
        : [violation('lost', { seen, proof })];
    case '202':
      return isAnchored(proof, seen) ? [] : [violation('lost', { seen, proof })];
    case '502 PROOF_NOT_RECORDED':
      return ofHash.some(({ anchored }) => anchored.length > 0)
        ? []
        : [violation('lost', { seen, proofs: ofHash })];
    case '502 XRPL_ERROR':
      return wasRolledBack(seen, ofHash)
        ? []
        : [violation('rolledBackButOnLedger', { seen, proofs: ofHash })];
    case 'null':
    case '503 SERVICE_UNAVAILABLE':
      return [];
    default:
      return [violation('unexpectedAnswer', { seen })];
  }
}

/** By what the caller alone knows, the ledger shows the file. */
function isShown({ hash, proof }: Observation, byTx: ReadonlyMap<string, LedgerProof>): boolean {
  if (proof === null || proof.txHash === null) return false;
  const { txHash, proofNonce, proofCommitment } = proof;
  const shown = byTx.get(txHash)?.fileHash;
  if (isPlain(hash)) return shown === hash;
  if (proofNonce === null) return shown !== undefined && shown === proofCommitment;
  const key = Buffer.from(proofNonce, 'hex');
  return shown === createHmac('sha256', key).update(Buffer.from(hash, 'hex')).digest('hex');
}

function isAnchored(proof: LoggedProof | undefined, seen: Observation): boolean {
  const txHash = proof?.anchored[0]?.txHash;
  if (proof === undefined || txHash === undefined) return false;
  // What a queued proof shows is the transaction of its latest attempt, which may have expired.
  return proof.fileHash === seen.hash && (seen.status === 202 || seen.proof?.txHash === txHash);
}

/** Between what a process stamps and what others see of it. */
const stampMs = 2_000;

/** Some proof of the hash was withdrawn while its caller waited, or there was none at all by then. */
function wasRolledBack(seen: Observation, ofHash: readonly LoggedProof[]): boolean {
  const before = ofHash.filter(({ requestedAt }) => requestedAt <= seen.answeredAt);
  if (before.length === 0) return true;
  return before.some(
    ({ withdrawnAt }) =>
      withdrawnAt !== null &&
      withdrawnAt >= seen.postedAt - stampMs &&
      withdrawnAt <= seen.answeredAt,
  );
}

function violation(kind: Violation['kind'], detail: object): Violation {
  return { kind, detail };
}
