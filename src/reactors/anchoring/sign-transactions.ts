import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { signAnchors } from '../../ledger/anchor-transaction.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { Anchorable } from './anchorable.ts';
import type { SignedBatch } from './record-signed.ts';

/** A transaction to sign: for an item, or without one to fill a gap in the account's Sequences. */
export interface Draft
  extends Omit<SignedTransaction, 'transactionHash' | 'blob' | 'account' | 'sentAt'> {
  readonly of: Anchorable | null;
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
  return { anchors, gapFills };
}
