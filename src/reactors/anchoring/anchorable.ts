import type { SequencesTaken } from '../../domain/account/events.ts';
import type { SignedTransaction, TransactionOutcome } from '../../domain/ledger/transaction.ts';
import type { LedgerMemo } from '../../domain/proof/memo.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';

/**
 * An item with an anchoring transaction of its own, in its known state. Signing, submitting,
 * reading ledgers and settling depend on this interface alone.
 */
export interface Anchorable {
  /** Purpose that the account's stream records for the Sequence. */
  readonly purpose: Purpose;
  /** Version of the item's stream, as known here. */
  readonly version: number;
  /** Memo of the transaction. */
  memo(): LedgerMemo;
  /** Returns the entry that records the signed transaction in the item's stream, as known here. */
  prepared(signed: SignedTransaction): StreamAppend;
  /**
   * Returns the entry that records the outcome of the transaction in the item's stream. Null if the
   * outcome needs more than this entry: then call `decide`.
   */
  settled(outcome: TransactionOutcome): StreamAppend | null;
  /** Folds the events of an appended entry; `eventIds` are their ids. */
  appended(entry: StreamAppend, eventIds: readonly string[]): void;
  /** Decides on the outcome by the item's stream, appends and folds the events. Can be repeated. */
  decide(store: EventStore, outcome: TransactionOutcome): Promise<void>;
  /** Reads the item's stream and folds it. */
  reread(store: EventStore): Promise<void>;
  /** Delays the next attempt of an item whose transaction failed at this ledger. */
  postpone(ledgerIndex: number): void;
}

type Taken = SequencesTaken['data']['taken'][number];
type WithoutSequence<Named> = Named extends unknown ? Omit<Named, 'sequence'> : never;
export type Purpose = WithoutSequence<Taken>;
