import type { AccountEvent } from '../../domain/account/events.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { StreamAppend } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { AccountHold } from './account-hold.ts';
import type { Anchorable } from './anchorable.ts';
import type { SettlementDeps } from './settlement.ts';

/** An item, its signed transaction, and the entry that records it with one event. */
export interface SignedItem {
  readonly of: Anchorable;
  readonly signed: SignedTransaction;
  readonly entry: StreamAppend;
}

/** Transactions that one account has signed, to be recorded together. */
export interface SignedBatch {
  readonly anchors: readonly SignedItem[];
  readonly gapFills: readonly SignedTransaction[];
  /** Sequences that the anchors take; none if they replace other transactions. */
  readonly taken: Extract<AccountEvent, { type: 'SequencesTaken' }>['data']['taken'];
  readonly ledgerId: string;
  /** Version of the account's stream, which its events expect. */
  readonly streamVersion: number;
}

export type RecordingDeps = Pick<SettlementDeps, 'store' | 'backlog' | 'position'>;

/**
 * Records signed transactions in one append, and folds them. Call it in turn of the account's
 * fence. Returns the transactions to submit, in the order of Sequences. Returns none if another
 * process got ahead; the backlog and the account are then up to date.
 */
export async function recordSigned(
  { store, backlog }: RecordingDeps,
  hold: AccountHold,
  { anchors, gapFills, taken, ledgerId, streamVersion }: SignedBatch,
): Promise<readonly SignedTransaction[]> {
  if (anchors.length === 0 && gapFills.length === 0) return [];
  const { stream } = hold.fence;
  const account = hold.address;
  const events: AccountEvent[] = gapFills.map((data) => ({ type: 'GapFillPrepared', data }));
  if (taken.length > 0) events.push({ type: 'SequencesTaken', data: { ledgerId, account, taken } });
  const own = { organisationId: null, stream, expectedVersion: streamVersion, events };
  const entries = [...anchors.map(({ entry }) => entry), ...(events.length === 0 ? [] : [own])];
  const reread = () => Promise.all(anchors.map(({ of }) => of.reread(store)));
  let eventIds: readonly string[];
  try {
    ({ eventIds } = await store.append(entries, { actor: 'anchoring' }));
  } catch (error) {
    if (!(error instanceof VersionConflict)) {
      // The append may have succeeded: read the streams again before signing anything else.
      hold.forget();
      await reread();
      throw error;
    }
    if (error.conflicts.some((conflict) => conflict.stream === stream)) hold.forget();
    await reread();
    return [];
  }
  hold.fence.appended(events.length);
  anchors.forEach(({ of, entry }, index) => {
    of.appended(entry, [eventIds[index] ?? '']);
  });
  // The account's events come last, and gap fills come first among them.
  const filled = gapFills.map((gapFill, index) => {
    return { ...gapFill, eventId: eventIds[anchors.length + index] ?? '' };
  });
  backlog.gapFills.prepared(stream, streamVersion + events.length, filled);
  const signed = [...filled, ...anchors.map((anchor) => anchor.signed)];
  return signed.sort((a, b) => a.sequence - b.sequence);
}
