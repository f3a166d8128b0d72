import { createHmac } from 'node:crypto';
import { isPlain, type Observation, type Report } from './callers.ts';
import type { Evidence } from './evidence.ts';
import { type LedgerProof, proofsOf } from './ledger-history.ts';
import type { LoggedProof } from './logged-history.ts';
import { type Violation, violation } from './violation.ts';

/** Checks every answer to a caller against the log and the ledger. */
export function auditAnswers({
  observations,
  reports,
  proofs,
  ledger,
}: Pick<Evidence, 'observations' | 'reports' | 'proofs' | 'ledger'>): readonly Violation[] {
  const onLedger = ledger.flatMap(proofsOf).filter(({ result }) => result === 'tesSUCCESS');
  const facts: Facts = {
    byTx: new Map(onLedger.map((shown) => [shown.txHash, shown])),
    byId: new Map(proofs.map((proof) => [proof.proofId, proof])),
    byHash: Map.groupBy(proofs, ({ fileHash }) => fileHash),
  };
  return [
    ...observations.flatMap((seen) => auditAnswer(seen, facts)),
    ...[...Map.groupBy(observations, ({ hash }) => hash).values()].flatMap(auditAgreement),
    ...reports.flatMap((report) => auditReport(report, facts)),
    ...proofs.flatMap((proof) => auditNonce(proof, observations)),
  ];
}

interface Facts {
  readonly byTx: ReadonlyMap<string, LedgerProof>;
  readonly byId: ReadonlyMap<string, LoggedProof>;
  readonly byHash: ReadonlyMap<string, readonly LoggedProof[]>;
}

function auditAnswer(seen: Observation, facts: Facts): readonly Violation[] {
  const ofHash = facts.byHash.get(seen.hash) ?? [];
  const proof = seen.proof === null ? undefined : facts.byId.get(seen.proof.proofId);
  const detail = { seen, proof, ofHash };
  switch (`${seen.status} ${seen.code ?? ''}`.trimEnd()) {
    case '200':
    case '201': {
      const isKept = isShown(seen, facts.byTx) && isAnchored(proof, seen);
      const isConsistent = seen.alreadyProven === (seen.status === 200);
      return [
        ...(isKept ? [] : [violation('lost', detail)]),
        ...(isConsistent ? [] : [violation('contradiction', detail)]),
      ];
    }
    case '202':
      if (proof?.fileHash !== seen.hash || proof.anchored.length === 0) {
        return [violation('lost', detail)];
      }
      return wasQueued(proof, seen) ? [] : [violation('notQueued', detail)];
    case '502 PROOF_NOT_RECORDED': {
      const queued = ofHash.filter((one) => wasQueued(one, seen));
      if (queued.length === 0) return [violation('notQueued', detail)];
      const isKept = queued.some(({ anchored }) => anchored.length > 0);
      return isKept ? [] : [violation('lost', detail)];
    }
    case '502 XRPL_ERROR':
      return isFree(ofHash, seen) || ofHash.some((one) => wasRolledBack(one, seen))
        ? []
        : [violation('rolledBackButOnLedger', detail)];
    case 'null':
    case '503 SERVICE_UNAVAILABLE':
    // A service was frozen while the request arrived.
    case '408 REQUEST_TIMEOUT':
      return [];
    default:
      return [violation('unexpectedAnswer', detail)];
  }
}

/**
 * All successful answers for one hash must name the same proof, and at most one of them may have
 * created it.
 */
function auditAgreement(ofHash: readonly Observation[]): readonly Violation[] {
  const successful = ofHash.filter(({ status }) => status === 200 || status === 201);
  const names = new Set(successful.map(({ proof }) => `${proof?.proofId} ${proof?.txHash}`));
  const created = successful.filter(({ status }) => status === 201);
  return names.size > 1 || created.length > 1
    ? [violation('contradiction', { answers: successful })]
    : [];
}

/** A caller without an answer may be the one who received the nonce. */
function auditNonce(
  proof: LoggedProof,
  observations: readonly Observation[],
): readonly Violation[] {
  if (!proof.nonceDelivered) return [];
  const ofHash = observations.filter(({ hash }) => hash === proof.fileHash);
  const mayHaveIt = ofHash.some((seen) => seen.status === null || seen.proof?.proofNonce != null);
  return mayHaveIt ? [] : [violation('nonceLost', { proof, answers: ofHash })];
}

function auditReport(report: Report, { byTx }: Facts): readonly Violation[] {
  if (report.blockchainStatus !== 'completed') return [];
  const shown = report.txHash === null ? undefined : byTx.get(report.txHash);
  return shown !== undefined && shown.ledgerIndex === report.ledgerIndex
    ? []
    : [violation('completedButNotOnLedger', { report, shown })];
}

/** True if the caller's own data show the file on the ledger. */
function isShown({ hash, proof }: Observation, byTx: Facts['byTx']): boolean {
  if (proof === null || proof.txHash === null) return false;
  const { txHash, proofNonce, proofCommitment } = proof;
  const shown = byTx.get(txHash)?.fileHash;
  if (isPlain(hash)) return shown === hash;
  if (proofNonce === null) return shown !== undefined && shown === proofCommitment;
  const key = Buffer.from(proofNonce, 'hex');
  return shown === createHmac('sha256', key).update(Buffer.from(hash, 'hex')).digest('hex');
}

function isAnchored(proof: LoggedProof | undefined, seen: Observation): boolean {
  const anchor = proof?.anchored[0];
  return anchor?.txHash === seen.proof?.txHash && proof?.fileHash === seen.hash;
}

/**
 * True if the log recorded the proof as queued before the answer: it is then settled without its
 * caller.
 */
function wasQueued({ queuedAt }: LoggedProof, { answeredAt }: Observation): boolean {
  return queuedAt !== null && queuedAt <= answeredAt;
}

/** True if no proof of the hash was on record when the caller got the answer. */
function isFree(ofHash: readonly LoggedProof[], { answeredAt }: Observation): boolean {
  return ofHash.every(
    ({ requestedAt, withdrawnAt }) =>
      requestedAt > answeredAt || (withdrawnAt !== null && withdrawnAt <= answeredAt),
  );
}

/** Tolerance between a process's timestamp and the caller's clock. */
const stampMs = 2_000;

/** True if the proof was withdrawn while the caller waited. */
function wasRolledBack({ withdrawnAt }: LoggedProof, seen: Observation): boolean {
  if (withdrawnAt === null) return false;
  return withdrawnAt >= seen.postedAt - stampMs && withdrawnAt <= seen.answeredAt;
}
