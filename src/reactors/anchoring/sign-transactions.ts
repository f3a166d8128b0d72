import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { signAnchors } from '../../ledger/anchor-transaction.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { SignerUnavailable } from '../../ledger/signer-unavailable.ts';
import type { Anchorable } from './anchorable.ts';
import type { SignedBatch } from './record-signed.ts';

/** A transaction to sign: for an item, or without one to fill a gap in the account's Sequences. */
export interface Draft
  extends Omit<SignedTransaction, 'transactionHash' | 'blob' | 'account' | 'sentAt'> {
  readonly of: Anchorable | null;
}

export interface SignerTroubles {
  /** Called when an account's signer could not sign; it is asked again after the next ledger. */
  readonly onSignerUnavailable?: (error: SignerUnavailable, account: string) => void;
}

/**
 * Signs the drafts with one account. Resolves with null if an item changed meanwhile: then nothing
 * may be recorded, and the caller tries again. Rejects with `SignerUnavailable`.
 */
export async function signTransactions(
  drafts: readonly Draft[],
  signer: Signer,
): Promise<Pick<SignedBatch, 'anchors' | 'gapFills'> | null> {
  const versions = drafts.map(({ of }) => of?.version);
  const blobs = await signAnchors(
    drafts.map(({ of, ...draft }) => ({ ...draft, memo: of?.memo() ?? null })),
    signer,
  );
  if (drafts.some(({ of }, index) => of?.version !== versions[index])) return null;
  const anchors: SignedBatch['anchors'][number][] = [];
  const gapFills: SignedTransaction[] = [];
  drafts.forEach(({ of, ...draft }, index) => {
    const { blob = '', hash = '' } = blobs[index] ?? {};
    const signed = { ...draft, transactionHash: hash, blob, account: signer.address };
    if (of === null) gapFills.push(signed);
    else anchors.push({ of, signed, entry: of.prepared(signed) });
  });
  // A transaction that nothing records must not be submitted.
  return anchors.every(({ entry }) => entry.events.length > 0) ? { anchors, gapFills } : null;
}

/**
 * Awaits the accounts' batches, all of them: nothing may still be signed when the next round begins.
 * If one fails, submits what the others recorded, and rejects with its error.
 */
export async function allSigned(
  batches: readonly Promise<readonly SignedTransaction[]>[],
  submit: (signed: readonly SignedTransaction[]) => Promise<void>,
): Promise<readonly SignedTransaction[]> {
  const outcomes = await Promise.allSettled(batches);
  const signed = outcomes.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const failure = outcomes.find((each) => each.status === 'rejected');
  if (failure === undefined) return signed;
  await submit(signed);
  throw failure.reason;
}
