import type { CheckpointOnLedger } from '../../domain/log/events.ts';
import type { Network } from '../../domain/network.ts';
import type { SentTransaction } from '../../ledger/contract.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';

/**
 * Answers to: is this database the log that left traces outside of it? By the kind of the traces that
 * were checked.
 */
export interface Verdicts {
  readonly publishing: Agrees<Checkpoint> | PublishedDifference;
  readonly anchoring: Agrees<CheckpointOnLedger> | AnchoredDifference | HistoryEnds;
  readonly sending: Agrees<never> | Forgotten | HistoryEnds;
}

export type Verdict = Verdicts[keyof Verdicts];

/** The database is that log. */
export interface Agrees<Last> {
  readonly status: 'agrees';
  /** The newest trace; null if there is none, or if it says nothing about the epoch of the log. */
  readonly last: Last | null;
}

/** The database is not that log: nothing may be appended, signed or published. */
export type Difference = PublishedDifference | AnchoredDifference | Forgotten;

/** Differences from the published log, and from the marks of what was submitted. */
export type PublishedDifference =
  /** It lacks events that were published: an older copy of the database, or an empty one. */
  | { readonly status: 'shorter'; readonly last: Checkpoint; readonly head: number }
  /** It went on from an older copy: the event at this position is another one. */
  | { readonly status: 'forked'; readonly last: Checkpoint; readonly position: number }
  /** It has not seen the epoch that was published last. */
  | {
      readonly status: 'older-epoch';
      readonly last: Checkpoint | null;
      /** Of what the storage knows. */
      readonly origin: string;
      /** Of the database. */
      readonly epoch: number;
    }
  | Behind
  /** The storage is that of another log, named by `origin`, than this database. */
  | { readonly status: 'other-log'; readonly origin: string; readonly logId: string }
  /** The storage holds no checkpoint, though the database knows that this one was published. */
  | { readonly status: 'storage-empty'; readonly origin: string; readonly size: number }
  /** The published log cannot be read any more, or its parts do not belong together. */
  | { readonly status: 'storage-damaged'; readonly last: Checkpoint };

/** It lacks events that left it after the last published checkpoint. */
export interface Behind {
  readonly status: 'behind';
  /** The last checkpoint of the epoch; null if there was none yet. */
  readonly last: Checkpoint | null;
  readonly origin: string;
  /** A signed transaction was submitted, or a tile stored, when the log had come to `position`. */
  readonly by: 'submitted' | 'tile';
  readonly position: number;
  /** At which the database has another event; null where it ends before, at `head`. */
  readonly differsAt: number | null;
  readonly head: number;
  /** Up to here it has what left it. */
  readonly agreesTo: number;
}

/** Differences from the newest checkpoint on the ledger. */
export type AnchoredDifference =
  /** It lacks events that were anchored: an older copy. `head` is the database's. */
  | { readonly status: 'anchored-beyond'; readonly last: CheckpointOnLedger; readonly head: number }
  /** It holds other events below the size than were anchored; `rootHash` is its own there. */
  | {
      readonly status: 'anchored-otherwise';
      readonly last: CheckpointOnLedger;
      readonly rootHash: string;
    }
  /** It has not seen the epoch that was anchored last. */
  | {
      readonly status: 'anchored-later-epoch';
      readonly last: CheckpointOnLedger;
      readonly epoch: number;
    };

/** The ledger has transactions of one of our accounts, with memos of ours, that the log does not know. */
export interface Forgotten {
  readonly status: 'forgotten';
  readonly network: Network;
  readonly account: string;
  /** The newest first; not empty. */
  readonly transactions: readonly SentTransaction[];
}

/** Nothing can be said: the servers' history does not reach back to what the log knows of the account. */
export interface HistoryEnds {
  readonly status: 'history-ends';
  readonly network: Network;
  readonly account: string;
  /** The oldest ledger that the servers have. */
  readonly searchedFrom: number;
}
