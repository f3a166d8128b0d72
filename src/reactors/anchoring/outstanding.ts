import type { Backlog } from '../../anchoring-state/backlog.ts';
import type { OpenGapFill } from '../../anchoring-state/open-gap-fills.ts';
import type { GapFillSettled } from '../../domain/account/events.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { Anchorable } from './anchorable.ts';
import { AnchorableCheckpoint } from './anchorable-checkpoint.ts';
import { AnchorableProof } from './anchorable-proof.ts';

/** Our signed transaction with an unknown fate: an anchor, or a no-op that fills a gap. */
export type Outstanding = {
  readonly signed: SignedTransaction;
  /** Transactions that it has replaced, the oldest first. One of them may be on the ledger instead. */
  readonly replaced: readonly SignedTransaction[];
} & (
  | { readonly kind: 'anchor'; readonly of: Anchorable }
  | { readonly kind: 'gapFill'; readonly gapFill: OpenGapFill }
);

/** The newest transaction, and those that it has replaced. */
export function signedOf({ signed, replaced }: Outstanding): readonly SignedTransaction[] {
  return [signed, ...replaced];
}

/** All outstanding transactions on one ledger, by the hash of the newest with their Sequence. */
export function outstandingOn(backlog: Backlog, ledgerId: string): Map<string, Outstanding> {
  const found = new Map<string, Outstanding>();
  const add = (item: Outstanding) => {
    if (item.signed.ledgerId === ledgerId) found.set(item.signed.transactionHash, item);
  };
  for (const proof of backlog.processing()) {
    const { prepared: signed, replaced } = proof.state;
    const of = new AnchorableProof(backlog, proof, signed.previousTransactionHash);
    add({ kind: 'anchor', of, signed, replaced });
  }
  const { checkpoint } = backlog;
  const [of, open] = [AnchorableCheckpoint.of(checkpoint), checkpoint.underWay];
  if (of !== null && open !== null) {
    add({ kind: 'anchor', of, signed: open.prepared, replaced: open.replaced });
  }
  for (const gapFill of backlog.gapFills.values()) {
    add({ kind: 'gapFill', gapFill, signed: gapFill, replaced: gapFill.replaced });
  }
  return found;
}

/** The event that settles a gap fill, by its own transaction or by one that it has replaced. */
export function gapFillSettled(
  { sequence }: OpenGapFill,
  transactionHash: string,
  outcome: GapFillSettled['data']['outcome'],
): GapFillSettled {
  return { type: 'GapFillSettled', data: { transactionHash, sequence, outcome } };
}
