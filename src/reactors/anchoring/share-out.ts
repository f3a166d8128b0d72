import type { AccountHold } from './account-hold.ts';
import type { Anchorable } from './anchorable.ts';
import { AnchorableCheckpoint } from './anchorable-checkpoint.ts';
import type { Backlog } from './backlog.ts';
import { outstandingOn } from './outstanding.ts';
import { maxBatch } from './preparation.ts';

interface Share {
  readonly hold: AccountHold;
  /** Sequences of the account's outstanding transactions. */
  readonly sequences: ReadonlySet<number>;
  readonly waiting: readonly Anchorable[];
}

/** Distributes the waiting proofs evenly among the accounts, as far as each has room. */
export function shareOut(options: {
  readonly ready: readonly AccountHold[];
  readonly backlog: Backlog;
  readonly ledgerId: string;
  readonly tipIndex: number;
  /** Maximum number of outstanding transactions of one account. */
  readonly maxOutstanding: number;
  /** Maximum number of proofs. */
  readonly most: number;
}): readonly Share[] {
  const { ready, backlog, ledgerId, tipIndex, maxOutstanding, most } = options;
  const outstanding = sequencesUnderWay(backlog, ledgerId);
  const shares = ready.map((hold) => {
    const sequences = outstanding.get(hold.address) ?? new Set<number>();
    const room = Math.max(0, Math.min(maxOutstanding - sequences.size, maxBatch));
    return { hold, sequences, room, waiting: [] as Anchorable[] };
  });
  const room = shares.reduce((sum, share) => sum + share.room, 0);
  const due = backlog.firstSignable(Math.min(room, most), tipIndex);
  let open = shares
    .filter((share) => share.room > 0)
    .sort((a, b) => a.sequences.size - b.sequences.size);
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
  at: { readonly backlog: Backlog; readonly ledgerId: string; readonly tipIndex: number },
): Share {
  const { backlog, ledgerId, tipIndex } = at;
  const sequences = sequencesUnderWay(backlog, ledgerId).get(hold.address) ?? new Set();
  const waiting = AnchorableCheckpoint.of(backlog.checkpoint);
  const isDue = waiting !== null && backlog.checkpoint.isDue(tipIndex);
  return { hold, sequences, waiting: isDue ? [waiting] : [] };
}

/** Sequences of outstanding transactions, by account. */
function sequencesUnderWay(backlog: Backlog, ledgerId: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const { signed } of outstandingOn(backlog, ledgerId).values()) {
    const sequences = found.get(signed.account);
    if (sequences) sequences.add(signed.sequence);
    else found.set(signed.account, new Set([signed.sequence]));
  }
  return found;
}
