import type { GapFillSettled } from '../../domain/account/events.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { Anchorable } from './anchorable.ts';
import type { Backlog } from './backlog.ts';
import type { OpenGapFill } from './open-gap-fills.ts';

/** Our signed transaction with an unknown fate: an anchor, or a no-op that fills a gap. */
export type Outstanding = { readonly signed: SignedTransaction } & (
  | { readonly kind: 'anchor'; readonly of: Anchorable }
  | { readonly kind: 'gapFill'; readonly gapFill: OpenGapFill }
);

/** All outstanding transactions on one ledger, by transaction hash. */
export function outstandingOn(backlog: Backlog, ledgerId: string): Map<string, Outstanding> {
  const found = new Map<string, Outstanding>();
  const add = (item: Outstanding) => {
    if (item.signed.ledgerId === ledgerId) found.set(item.signed.transactionHash, item);
  };
  for (const { signed, of } of backlog.underWay()) add({ kind: 'anchor', of, signed });
  for (const gapFill of backlog.gapFills.values())
    add({ kind: 'gapFill', gapFill, signed: gapFill });
  return found;
}

/** The event that settles a gap fill. */
export function gapFillSettled(
  gapFill: OpenGapFill,
  outcome: GapFillSettled['data']['outcome'],
): GapFillSettled {
  const { transactionHash, sequence } = gapFill;
  return { type: 'GapFillSettled', data: { transactionHash, sequence, outcome } };
}
