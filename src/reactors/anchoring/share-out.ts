import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { AccountHold } from './account-hold.ts';
import type { AccountLimits } from './account-limits.ts';
import type { Anchorable } from './anchorable.ts';
import { AnchorableCheckpoint } from './anchorable-checkpoint.ts';
import type { Backlog } from './backlog.ts';
import { maxBatch } from './preparation.ts';

interface Share {
  readonly hold: AccountHold;
  readonly waiting: readonly Anchorable[];
}

/**
 * Distributes the waiting proofs evenly among the accounts, as far as each has room in the open
 * ledger.
 */
export function shareOut(options: {
  readonly ready: readonly AccountHold[];
  readonly backlog: Backlog;
  readonly ledgerId: string;
  readonly tipIndex: number;
  readonly limits: AccountLimits;
  /** Maximum number of proofs. */
  readonly most: number;
}): readonly Share[] {
  const { ready, backlog, ledgerId, tipIndex, limits, most } = options;
  const { maxOpen, maxOutstanding, isPlaced } = limits;
  const outstanding = transactionsUnderWay(backlog, ledgerId);
  const shares = ready.map((hold) => {
    const own = outstanding.get(hold.address) ?? [];
    const open = own.reduce((count, signed) => (isPlaced(signed) ? count : count + 1), 0);
    const room = Math.max(0, Math.min(maxOpen - open, maxOutstanding - own.length, maxBatch));
    return { hold, open, room, waiting: [] as Anchorable[] };
  });
  const room = shares.reduce((sum, share) => sum + share.room, 0);
  const due = backlog.firstSignable(Math.min(room, most), tipIndex);
  let open = shares.filter((share) => share.room > 0).sort((a, b) => a.open - b.open);
  for (const proof of due) {
    const next = open.shift();
    if (next === undefined) break;
    next.waiting.push(proof);
    if (next.waiting.length < next.room) open = [...open, next];
  }
  return shares;
}

/** Share of the account that anchors checkpoints: the waiting checkpoint, or only its gaps. */
export function checkpointShare(
  hold: AccountHold,
  at: { readonly backlog: Backlog; readonly tipIndex: number },
): Share {
  const { backlog, tipIndex } = at;
  const waiting = AnchorableCheckpoint.of(backlog.checkpoint);
  const isDue = waiting !== null && backlog.checkpoint.isDue(tipIndex);
  return { hold, waiting: isDue ? [waiting] : [] };
}

/** Outstanding transactions on one ledger, by account. */
function transactionsUnderWay(
  backlog: Backlog,
  ledgerId: string,
): Map<string, SignedTransaction[]> {
  const found = new Map<string, SignedTransaction[]>();
  for (const signed of backlog.signed()) {
    if (signed.ledgerId !== ledgerId) continue;
    const own = found.get(signed.account);
    if (own) own.push(signed);
    else found.set(signed.account, [signed]);
  }
  return found;
}
