import { planSequences } from '../../domain/account/sequences.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import { ledgersToLive } from '../../ledger/ledgers-to-live.ts';
import type { AccountHold } from './account-hold.ts';
import type { Anchorable } from './anchorable.ts';
import { type RecordingDeps, recordSigned } from './record-signed.ts';
import { signTransactions } from './sign-transactions.ts';

export const maxBatch = 250;
/**
 * Maximum distance of outstanding Sequences from the validated one: more than an account can have
 * outstanding. Beyond it, a server has stated a wrong Sequence. Its gaps would be filled and paid for.
 */
const maxSpan = 5_000;

/** Terms of a batch: its ledger and the fee of each transaction. */
export interface SigningTerms {
  readonly ledgerId: string;
  /** Newest ledger that a server has shown: no transaction that is signed now can be in it. */
  readonly minLedger: number;
  /** Newest ledger that a server has reported. */
  readonly tipIndex: number;
  readonly feeDrops: number;
  /** Maximum number of outstanding transactions of one account. */
  readonly maxOutstanding: number;
}

/**
 * Signs transactions for waiting items, and no-ops for gaps, with one locked account. Records all
 * of them in one append, together with the account's Sequences. Call it in turn of the account's
 * fence.
 *
 * Returns the transactions to submit, in the order of Sequences. Returns none if another process
 * got ahead; the backlog and the account are then up to date, and the caller tries again. Rejects with
 * `LedgerUnavailable` if the validated Sequence cannot be true.
 */
export async function prepareBatch(
  deps: RecordingDeps,
  hold: AccountHold,
  waiting: readonly Anchorable[],
  terms: SigningTerms,
): Promise<readonly SignedTransaction[]> {
  const { backlog, position } = deps;
  const { signer, validatedSequence } = hold;
  const streamVersion = hold.fence.versionAt(position());
  if (signer === null || streamVersion === null || validatedSequence === null) return [];
  // The backlog includes transactions that were validated after the Sequence was read.
  const applied = backlog.appliedSequence(terms.ledgerId, hold.address);
  // Read in this turn: an earlier one may have used Sequences since the items were chosen.
  const own = backlog.signedBy(terms.ledgerId, hold.address);
  const outstanding = new Set(own.map(({ sequence }) => sequence));
  const view = { validated: Math.max(validatedSequence, applied + 1), outstanding };
  const highest = Math.max(0, ...outstanding);
  if (highest - view.validated > maxSpan) {
    hold.doubt(terms.tipIndex, highest);
    throw new LedgerUnavailable(
      `${hold.address} has the outstanding Sequence ${highest}, but a server states ` +
        `${view.validated} as its next one: nothing is signed with this account`,
    );
  }
  const plan = planSequences(view, Math.min(waiting.length, maxBatch), terms.maxOutstanding);
  const { ledgerId, minLedger, tipIndex, feeDrops } = terms;
  const lastLedgerSequence = tipIndex + ledgersToLive;
  const common = { ledgerId, minLedger, feeDrops, lastLedgerSequence, replaces: null };
  const drafts = [
    ...plan.gaps.slice(0, maxBatch).map((sequence) => ({ ...common, sequence, of: null })),
    ...plan.sequences.flatMap((sequence, index) => {
      const of = waiting[index];
      return of === undefined ? [] : [{ ...common, sequence, of }];
    }),
  ];
  const signed = await signTransactions(drafts, signer);
  if (signed === null) return [];
  const taken = signed.anchors.map(({ of, signed: { sequence } }) => ({ sequence, ...of.purpose }));
  const recorded = await recordSigned(deps, hold, { ...signed, taken, ledgerId, streamVersion });
  if (recorded.length > 0) hold.used(tipIndex);
  return recorded;
}
