import type { SequencesTaken } from '../../domain/account/events.ts';
import type { Outcome, SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerMemo } from '../../domain/proof/memo.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';

/**
 * Something that a transaction of its own anchors, as it is known now. All that signs, submits,
 * reads ledgers and settles knows of it only this.
 */
export interface Anchorable {
  /** What its Sequence is given out for. */
  readonly purpose: Purpose;
  /** What its transaction says. */
  memo(): LedgerMemo;
  /** Puts the signed transaction on record, in its own stream at the version that is known. */
  prepared(signed: SignedTransaction): StreamAppend;
  /**
   * Puts the outcome of its transaction on record in its own stream; null where more belongs to it
   * than is known here: `decide` reads that.
   */
  settled(outcome: Outcome): StreamAppend | null;
  /** The entry was appended, its events with these ids: folds them. */
  appended(entry: StreamAppend, eventIds: readonly string[]): void;
  /** Decides on the outcome by what its stream says, appends that, and folds it. May be repeated. */
  decide(store: EventStore, outcome: Outcome): Promise<void>;
  /** Reads its stream and folds what it says. */
  reread(store: EventStore): Promise<void>;
  /** Its transaction was settled at this ledger: one that failed is not tried again at once. */
  postpone(ledgerIndex: number): void;
}

type Taken = SequencesTaken['data']['taken'][number];
type WithoutSequence<Named> = Named extends unknown ? Omit<Named, 'sequence'> : never;
export type Purpose = WithoutSequence<Taken>;
