import type { WithReplaced } from '../ledger/transaction.ts';
import type { CheckpointAnchored } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';
import type { LogRestored } from './events.ts';

/** State of the log itself: its epoch, and the anchoring of its checkpoints, one at a time. */
export interface LogState {
  /** Empty for a log that has not begun. */
  readonly logId: string;
  /** Origin of its first epoch. */
  readonly name: string;
  readonly epoch: number;
  /** Time of the last checkpoint request or of the epoch's start (ISO 8601). */
  readonly lastTurnAt: string;
  /** Set between LogRestored and LogReconciled. */
  readonly restoring: LogRestored['data'] | null;
  /** Newest anchored checkpoint on record, of any epoch. */
  readonly anchored: AnchoredCheckpoint | null;
  readonly checkpoint: CheckpointState;
}

/** `failures` counts the transactions that did not reach the ledger. */
export type CheckpointState =
  | { readonly status: 'none' }
  | { readonly status: 'pending'; readonly memo: CheckpointMemo; readonly failures: number }
  | ({
      readonly status: 'processing';
      readonly memo: CheckpointMemo;
      readonly failures: number;
    } & WithReplaced);

/** Anchored checkpoint with its location on the ledger, without the evidence. */
export type AnchoredCheckpoint = Omit<
  CheckpointAnchored['data'],
  'metadata' | 'ledgerHeader' | 'closeTime' | 'transactionIndex'
> & { readonly account: string };

export const unopenedLog: LogState = {
  logId: '',
  name: '',
  epoch: 0,
  lastTurnAt: '',
  restoring: null,
  anchored: null,
  checkpoint: { status: 'none' },
};
