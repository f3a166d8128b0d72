import type { GapFillSettled } from '../../domain/account/events.ts';
import type { PreparedAnchor } from '../../domain/proof/state.ts';
import type { Backlog, OpenGapFill } from './backlog.ts';
import type { UnderWay } from './open-proofs.ts';

/** A signed transaction of ours whose fate is open: a proof's, or a no-op that fills a gap. */
export type Outstanding = { readonly signed: SignedOnRecord } & (
  | { readonly kind: 'proof'; readonly proof: UnderWay }
  | { readonly kind: 'gapFill'; readonly gapFill: OpenGapFill }
);

/** What proofs and gap fills have on record alike. */
export type SignedOnRecord = Pick<
  PreparedAnchor,
  | 'ledgerId'
  | 'transactionHash'
  | 'blob'
  | 'account'
  | 'sequence'
  | 'minLedger'
  | 'lastLedgerSequence'
>;

/** All that is outstanding on one ledger, by transaction hash. */
export function outstandingOn(backlog: Backlog, ledgerId: string): Map<string, Outstanding> {
  const found = new Map<string, Outstanding>();
  const add = (item: Outstanding) => {
    if (item.signed.ledgerId === ledgerId) found.set(item.signed.transactionHash, item);
  };
  for (const proof of backlog.processing()) {
    add({ kind: 'proof', proof, signed: proof.state.prepared });
  }
  for (const gapFill of backlog.gapFills()) add({ kind: 'gapFill', gapFill, signed: gapFill });
  return found;
}

/** The event by which a gap fill is settled. */
export function gapFillSettled(
  gapFill: OpenGapFill,
  outcome: GapFillSettled['data']['outcome'],
): GapFillSettled {
  const { transactionHash, sequence } = gapFill;
  return { type: 'GapFillSettled', data: { transactionHash, sequence, outcome } };
}
