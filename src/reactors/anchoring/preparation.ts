import { planSequences } from '../../domain/account/sequences.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { AccountHold } from './account-hold.ts';
import type { Anchorable } from './anchorable.ts';
import { type RecordingDeps, recordSigned } from './record-signed.ts';
import { signTransactions } from './sign-transactions.ts';

/** Number of ledgers after the newest validated one that may still include a transaction. */
export const ledgersToLive = 8;
export const maxBatch = 250;

/** Terms of a batch: its ledger and the fee of each transaction. */
export interface SigningTerms {
  readonly ledgerId: string;
  readonly minLedger: number;
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
 * got ahead; the backlog and the account are then up to date, and the caller tries again.
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
  const plan = planSequences(view, Math.min(waiting.length, maxBatch), terms.maxOutstanding);
  const { ledgerId, minLedger, feeDrops } = terms;
  const lastLedgerSequence = minLedger + ledgersToLive;
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
  return recordSigned(deps, hold, { ...signed, taken, ledgerId, streamVersion });
}
