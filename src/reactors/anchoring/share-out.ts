import type { Backlog } from '../../anchoring-state/backlog.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { AccountHold } from './account-hold.ts';
import type { AccountLimits } from './account-limits.ts';
import type { Anchorable } from './anchorable.ts';
import { AnchorableCheckpoint } from './anchorable-checkpoint.ts';
import { AnchorableProof } from './anchorable-proof.ts';
import { maxBatch } from './preparation.ts';
import type { FreeSequences } from './signed-ahead.ts';

interface Share {
  readonly hold: AccountHold;
  readonly waiting: readonly Anchorable[];
}

/**
 * Distributes the waiting proofs evenly among the accounts, as far as each has room in the open
 * ledger and the one after it.
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
  const { maxUnplaced, maxOutstanding, isPlaced } = limits;
  const shares = ready.map((hold) => {
    const own = backlog.signedBy(ledgerId, hold.address);
    const open = own.reduce((count, signed) => (isPlaced(signed) ? count : count + 1), 0);
    const room = Math.max(0, Math.min(maxUnplaced - open, maxOutstanding - own.length, maxBatch));
    return { hold, open, room, waiting: [] as Anchorable[] };
  });
  const room = shares.reduce((sum, share) => sum + share.room, 0);
  const due = backlog.firstSignable(Math.min(room, most), tipIndex);
  let open = shares.filter((share) => share.room > 0).sort((a, b) => a.open - b.open);
  for (const { proof, previous } of due) {
    const next = open.shift();
    if (next === undefined) break;
    next.waiting.push(new AnchorableProof(backlog, proof, previous));
    if (next.waiting.length < next.room) open = [...open, next];
  }
  return shares;
}

/** Number of further Sequences for which each of these accounts has a place in the open ledger. */
export function freeSequences(
  accounts: readonly string[],
  options: {
    readonly backlog: Backlog;
    readonly ledgerId: string;
    readonly limits: AccountLimits;
    /** True if the transaction was not submitted yet. */
    readonly isAhead: (transactionHash: string) => boolean;
  },
): FreeSequences['byAccount'] {
  const { backlog, ledgerId, limits, isAhead } = options;
  const needsNone = (signed: SignedTransaction) =>
    isAhead(signed.transactionHash) || limits.isPlaced(signed);
  return new Map(
    accounts.map((account) => {
      const own = backlog.signedBy(ledgerId, account);
      const taken = own.reduce((count, signed) => (needsNone(signed) ? count : count + 1), 0);
      return [account, Math.max(0, limits.maxOpen - taken)];
    }),
  );
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
