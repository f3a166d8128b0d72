import { checkOnLedger, type LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import { checkTransaction } from '../../src/certificates/check-transaction.ts';
import { checkValidation } from '../../src/certificates/check-validation.ts';
import { decodeCanonical } from '../../src/certificates/decode-canonical.ts';
import type {
  SignedTransaction,
  ValidatedTransaction,
} from '../../src/domain/ledger/transaction.ts';
import type { Network } from '../../src/domain/network.ts';
import type { LedgerMemo } from '../../src/domain/proof/memo.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import type { Check } from '../../src/verifier/check/check.ts';

/** Something on the ledger, as events say that it was signed and anchored. */
export interface AnchoredClaim {
  readonly network: Network;
  /** Without its blob where that is sealed. */
  readonly sent: Omit<SignedTransaction, 'blob'> & { readonly blob?: string };
  readonly anchor: ValidatedTransaction;
  /** What the transaction must say, given what it is. */
  readonly memo: (blob: string) => LedgerMemo;
}

/**
 * Why the evidence is not that of what was signed, or not that of the validated ledger; null where none
 * was asked.
 */
export function reasonsAgainst(
  claim: AnchoredClaim,
  finding: LedgerFinding | null,
): readonly string[] {
  try {
    return collectReasons(claim, finding ?? unasked);
  } catch {
    return ['its evidence cannot be read']; // of a form that no event of ours has
  }
}

const unasked: LedgerFinding = { asked: false, why: 'no --ledger was given' };

function collectReasons(claim: AnchoredClaim, finding: LedgerFinding): readonly string[] {
  const { network, sent, anchor } = claim;
  if (sent.transactionHash !== anchor.transactionHash) {
    return ['another transaction was signed for it than is anchored'];
  }
  const ledger = finding.asked && finding.reached ? finding.ledger : null;
  const held = ledger?.transactions.find(({ hash }) => hash === anchor.transactionHash);
  // Where it is sealed, it is the ledger's own that is looked at.
  const blob = sent.blob ?? held?.blob ?? null;
  const memo = blob === null ? null : claim.memo(blob);
  const bundle = {
    anchor: { ...anchor, account: sent.account, network },
    evidence: { ...anchor, blob: blob ?? '', memo },
  };
  // A bundle has more than these checks read, and than an event can say.
  const checked = bundle as unknown as Bundle;
  const checks: Check[] = [
    ...(memo === null ? [] : checkTransaction(checked)),
    ...checkValidation(checked).filter(({ name }) => blob !== null || name !== 'metadata'),
    ...checkOnLedger(checked, finding).filter(
      ({ name }) => name !== 'network' || (finding.asked && !finding.reached),
    ),
  ];
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return [
    ...failed.map(({ name, detail }) => `${name}: ${detail}`),
    ...(blob === null ? [] : differencesFrom(blob, claim)),
  ];
}

/** What was put on record of the transaction before it was sent. */
function differencesFrom(blob: string, { sent, anchor }: AnchoredClaim): readonly string[] {
  const { Sequence, Fee, LastLedgerSequence } = decodeCanonical(blob) ?? {};
  const said: readonly (readonly [string, unknown, unknown])[] = [
    ['Sequence', Sequence, sent.sequence],
    ['fee', Fee, String(sent.feeDrops)],
    ['last ledger', LastLedgerSequence, sent.lastLedgerSequence],
    ['ledger', anchor.ledgerId, sent.ledgerId],
  ];
  return said
    .filter(([, found, stated]) => found !== stated)
    .map(
      ([name, found, stated]) => `transaction: its ${name} is ${found}, ${stated} was signed for`,
    );
}
