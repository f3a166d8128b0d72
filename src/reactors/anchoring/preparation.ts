import type { AccountEvent } from '../../domain/account/events.ts';
import { planSequences } from '../../domain/account/sequences.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerMemo } from '../../domain/proof/memo.ts';
import type { StreamAppend } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import { signAnchor } from '../../ledger/anchor-transaction.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { AccountHold } from './account-hold.ts';
import type { Anchorable } from './anchorable.ts';
import type { SettlementDeps } from './settlement.ts';

/** How far ahead of the newest validated ledger a transaction may still get in. */
export const ledgersToLive = 8;
export const maxBatch = 250;

/** What a batch is signed with: the ledger it is for and the fee of each transaction. */
export interface SigningTerms {
  readonly ledgerId: string;
  readonly minLedger: number;
  readonly feeDrops: number;
  /** How many transactions of one account may be outstanding at once. */
  readonly maxOutstanding: number;
}

/**
 * Signs transactions for what waits, and no-ops for gaps, from one held account, and puts all
 * of them on record in one append together with the account's Sequences. Returns what is to be
 * submitted, in the order of Sequences; nothing if somebody else got ahead, in which case the
 * backlog and the hold have been brought up to date and the caller tries again.
 */
export async function prepareBatch(
  deps: Pick<SettlementDeps, 'store' | 'backlog' | 'position'>,
  hold: AccountHold,
  waiting: readonly Anchorable[],
  outstanding: ReadonlySet<number>,
  terms: SigningTerms,
): Promise<readonly SignedTransaction[]> {
  const { store, backlog, position } = deps;
  const { signer, validatedSequence } = hold;
  const streamVersion = hold.fence.versionAt(position());
  if (signer === null || streamVersion === null || validatedSequence === null) return [];
  // What was validated since the ledger was asked has been folded into the backlog.
  const applied = backlog.appliedSequence(terms.ledgerId, hold.address);
  const view = { validated: Math.max(validatedSequence, applied + 1), outstanding };
  const plan = planSequences(view, Math.min(waiting.length, maxBatch), terms.maxOutstanding);
  const gapFills = plan.gaps
    .slice(0, maxBatch)
    .map((sequence) => sign(signer, sequence, terms, null));
  const anchors = plan.sequences.flatMap((sequence, index) => {
    const of = waiting[index];
    if (of === undefined) return [];
    const signed = sign(signer, sequence, terms, of.memo());
    return [{ of, signed, entry: of.prepared(signed) }];
  });
  if (anchors.length === 0 && gapFills.length === 0) return [];

  const account = accountEntry(hold, streamVersion, anchors, gapFills, terms);
  const entries = anchors.map(({ entry }) => entry);
  const reread = () => Promise.all(anchors.map(({ of }) => of.reread(store)));
  let eventIds: readonly string[];
  try {
    ({ eventIds } = await store.append([...entries, account], { actor: 'anchoring' }));
  } catch (error) {
    if (!(error instanceof VersionConflict)) {
      // It may be on record or not: both are read from the log before anything else is signed.
      hold.forget();
      await reread();
      throw error;
    }
    if (error.conflicts.some(({ stream }) => stream === account.stream)) hold.forget();
    await reread();
    return [];
  }
  hold.fence.appended(account.events.length);
  anchors.forEach(({ of, entry }, index) => {
    of.appended(entry, [eventIds[index] ?? '']);
  });
  // The account's events come last, gap fills first among them.
  const filled = gapFills.map((gapFill, index) => {
    return { ...gapFill, eventId: eventIds[anchors.length + index] ?? '' };
  });
  backlog.gapFillsPrepared(account.stream, streamVersion + account.events.length, filled);
  const signed: SignedTransaction[] = [...filled, ...anchors.map((anchor) => anchor.signed)];
  return signed.sort((a, b) => a.sequence - b.sequence);
}

/** What is signed for, and what puts it on record. */
interface Prepared {
  readonly of: Anchorable;
  readonly signed: SignedTransaction;
  readonly entry: StreamAppend;
}

function sign(
  signer: Signer,
  sequence: number,
  { ledgerId, minLedger, feeDrops }: SigningTerms,
  memo: LedgerMemo | null,
): SignedTransaction {
  const lastLedgerSequence = minLedger + ledgersToLive;
  const { blob, hash } = signAnchor({ sequence, feeDrops, lastLedgerSequence, memo }, signer);
  const account = signer.address;
  const transactionHash = hash;
  return {
    ledgerId,
    transactionHash,
    blob,
    account,
    sequence,
    feeDrops,
    minLedger,
    lastLedgerSequence,
  };
}

function accountEntry(
  hold: AccountHold,
  expectedVersion: number,
  anchors: readonly Prepared[],
  gapFills: readonly SignedTransaction[],
  { ledgerId }: SigningTerms,
): StreamAppend {
  const account = hold.address;
  const taken = anchors.map(({ of, signed }) => ({ sequence: signed.sequence, ...of.purpose }));
  const events: AccountEvent[] = gapFills.map((data) => ({ type: 'GapFillPrepared', data }));
  if (taken.length > 0) events.push({ type: 'SequencesTaken', data: { ledgerId, account, taken } });
  return {
    organisationId: null,
    stream: hold.fence.stream,
    expectedVersion,
    events,
  };
}
