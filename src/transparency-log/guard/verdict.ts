import type { CheckpointOnLedger } from '../../domain/log/events.ts';
import type { Network } from '../../domain/network.ts';
import type { SentTransaction } from '../../ledger/contract.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';

/** Verdicts on whether this database is the log that left the checked traces, by kind of trace. */
export interface Verdicts {
  readonly publishing: Agrees<Checkpoint> | PublishedDifference;
  readonly anchoring: Agrees<CheckpointOnLedger> | AnchoredDifference | HistoryEnds;
  readonly sending: Agrees<never> | Forgotten | HistoryEnds;
}

/** The database is the log that left the traces. */
export interface Agrees<Last> {
  readonly status: 'agrees';
  /** The newest trace; null if there is none, or if it does not concern the current epoch. */
  readonly last: Last | null;
}

/** The database is another log: nothing may be appended, signed or published. */
export type Difference = PublishedDifference | AnchoredDifference | Forgotten;

/** Differences from the published log and from the submission marks. */
export type PublishedDifference =
  /** The database lacks published events: it is an older copy, or empty. */
  | { readonly status: 'shorter'; readonly last: Checkpoint; readonly head: number }
  /** The database went on from an older copy: it has another event at this position. */
  | { readonly status: 'forked'; readonly last: Checkpoint; readonly position: number }
  /** The database does not know the epoch that was published last. */
  | {
      readonly status: 'older-epoch';
      readonly last: Checkpoint | null;
      /** Origin of a later epoch, found in the storage. */
      readonly origin: string;
      /** Current epoch of the database. */
      readonly epoch: number;
    }
  | Behind
  /** The storage belongs to another log, named by `origin`. */
  | { readonly status: 'other-log'; readonly origin: string; readonly logId: string }
  /** The storage holds no checkpoint, but the database recorded this published one. */
  | { readonly status: 'storage-empty'; readonly origin: string; readonly size: number }
  /** Parts of the published log are missing or inconsistent. */
  | { readonly status: 'storage-damaged'; readonly last: Checkpoint };

/** The database lacks events that left traces after the last published checkpoint. */
export interface Behind {
  readonly status: 'behind';
  /** The last checkpoint of the epoch; null if there was none yet. */
  readonly last: Checkpoint | null;
  readonly origin: string;
  /** Kind of the trace at `position`: the mark of a submission, or a stored tile. */
  readonly by: 'submitted' | 'tile';
  readonly position: number;
  /** First position at which the database has another event; null if it ends before, at `head`. */
  readonly differsAt: number | null;
  readonly head: number;
  /** The database agrees with the traces up to this position. */
  readonly agreesTo: number;
}

/** Differences from the newest checkpoint on the ledger. */
export type AnchoredDifference =
  /** The database lacks anchored events: it is an older copy that ends at `head`. */
  | { readonly status: 'anchored-beyond'; readonly last: CheckpointOnLedger; readonly head: number }
  /** The database has other events up to the anchored size, with this root. */
  | {
      readonly status: 'anchored-otherwise';
      readonly last: CheckpointOnLedger;
      readonly rootHash: string;
    }
  /** The database does not know the epoch that was anchored last. */
  | {
      readonly status: 'anchored-later-epoch';
      readonly last: CheckpointOnLedger;
      readonly epoch: number;
    };

/** One of our accounts has sent transactions with memos of ours that the log does not know. */
export interface Forgotten {
  readonly status: 'forgotten';
  readonly network: Network;
  readonly account: string;
  /** The newest first; not empty. */
  readonly transactions: readonly SentTransaction[];
}

/**
 * The result is unknown: the servers' history does not go back to the account's known transactions.
 */
export interface HistoryEnds {
  readonly status: 'history-ends';
  readonly network: Network;
  readonly account: string;
  /** The oldest ledger that the servers have. */
  readonly searchedFrom: number;
}

/** `log restored` has opened an epoch, but not finished. */
export interface RestoreUnfinished {
  readonly status: 'restore-unfinished';
  readonly epoch: number;
}
