import { checkOnLedger, type LedgerFinding } from '../../../src/certificates/check-on-ledger.ts';
import { checkTransaction } from '../../../src/certificates/check-transaction.ts';
import { checkValidation } from '../../../src/certificates/check-validation.ts';
import { decodeCanonical } from '../../../src/certificates/decode-canonical.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import type { Check } from '../../../src/verifier/check/check.ts';
import type { AnchoredClaim } from './anchored-claim.ts';
import { isSoundAnchor } from './is-sound-anchor.ts';

/**
 * Returns the reasons why the evidence differs from the signed transaction or from the validated
 * ledger.
 * @param finding null if no ledger was asked
 */
export function reasonsAgainst(
  claim: AnchoredClaim,
  finding: LedgerFinding | null,
): readonly string[] {
  if (finding === null && isSoundAnchor(claim)) return [];
  return findReasons(claim, finding);
}

/** As `reasonsAgainst`, with every check and its reason. */
export function findReasons(
  claim: AnchoredClaim,
  finding: LedgerFinding | null,
): readonly string[] {
  try {
    return collectReasons(claim, finding ?? unasked);
  } catch {
    return ['the evidence of the anchor cannot be read']; // malformed: no event of ours has this form
  }
}

const unasked: LedgerFinding = { asked: false, why: 'no ledger was asked' };

function collectReasons(claim: AnchoredClaim, finding: LedgerFinding): readonly string[] {
  const { network, sent, anchor } = claim;
  if (sent.transactionHash !== anchor.transactionHash) {
    return ['the anchored transaction differs from the transaction that was signed'];
  }
  const ledger = finding.asked && finding.reached ? finding.ledger : null;
  const held = ledger?.transactions.find(({ hash }) => hash === anchor.transactionHash);
  // Take an encrypted blob from the ledger instead.
  const blob = sent.blob ?? held?.blob ?? null;
  const memo = blob === null ? null : claim.memo(blob);
  const bundle = {
    anchor: { ...anchor, account: sent.account, network },
    evidence: { ...anchor, blob: blob ?? '', memo },
  };
  // A bundle has more fields than these checks read, and than an event can provide.
  const checked = bundle as unknown as Bundle;
  const checks: Check[] = [
    ...(memo === null ? [] : checkTransaction(checked)),
    ...checkValidation(checked).filter(({ name }) => blob !== null || name !== 'metadata'),
    // A server that gave no answer is reported by itself: it is no fault of the anchor.
    ...checkOnLedger(checked, finding).filter(({ name }) => name !== 'network'),
  ];
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return [
    ...failed.map(({ name, detail }) => `${name}: ${detail}`),
    ...(blob === null ? [] : differencesFrom(blob, claim)),
  ];
}

/** Compares the blob with the fields that were recorded before it was submitted. */
function differencesFrom(blob: string, { sent, anchor }: AnchoredClaim): readonly string[] {
  const { Sequence, Fee, LastLedgerSequence } = decodeCanonical(blob) ?? {};
  const compared: readonly (readonly [string, unknown, unknown])[] = [
    ['Sequence', Sequence, sent.sequence],
    ['fee', Fee, String(sent.feeDrops)],
    ['last ledger', LastLedgerSequence, sent.lastLedgerSequence],
    ['ledger', anchor.ledgerId, sent.ledgerId],
  ];
  return compared
    .filter(([, found, stated]) => found !== stated)
    .map(
      ([name, found, stated]) =>
        `transaction: the ${name} is ${found}, but an earlier event states ${stated}`,
    );
}
