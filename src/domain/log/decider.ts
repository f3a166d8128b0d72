import type { Decider, Decisions } from '../decider.ts';
import {
  isReplacement,
  type SignedTransaction,
  signedAs,
  type TransactionOutcome,
} from '../ledger/transaction.ts';
import type { CheckpointEvent, CheckpointRequested } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';
import type { LogEvent, LogRestored, LostTransaction, TransactionsLost } from './events.ts';
import { evolveLog } from './evolve.ts';
import { originOf } from './origin.ts';
import { type LogState, unopenedLog } from './state.ts';

/** State of the log's stream, and the decisions on it. */
export const logDecider = {
  initial: unopenedLog,
  evolve: evolveLog,
  requestCheckpoint,
  prepareCheckpoint,
  settleCheckpoint,
  restore,
  loseTransactions,
  reconcile,
} satisfies Decider<LogState, LogEvent> & Decisions;

/**
 * Requests the anchoring of a checkpoint. Appends nothing while another request is open or an epoch
 * is being opened. Appends nothing if an anchored checkpoint covers this one, or if this one is of
 * another epoch.
 */
function requestCheckpoint(
  state: LogState,
  memo: CheckpointMemo,
  reason: CheckpointRequested['data']['reason'],
): readonly CheckpointEvent[] {
  if (state.checkpoint.status !== 'none' || state.restoring !== null) return [];
  if (memo.origin !== originOf(state)) return [];
  const { anchored } = state;
  if (anchored !== null && anchored.origin === memo.origin && anchored.size >= memo.size) return [];
  return [{ type: 'CheckpointRequested', data: { ...memo, reason } }];
}

/**
 * Records a signed transaction. Appends nothing if no checkpoint waits for one, and it does not
 * replace the outstanding one.
 */
function prepareCheckpoint(
  { checkpoint }: LogState,
  prepared: SignedTransaction,
): readonly CheckpointEvent[] {
  const replaces =
    checkpoint.status === 'processing' && isReplacement(checkpoint.prepared, prepared);
  if (checkpoint.status !== 'pending' && !replaces) return [];
  return [{ type: 'CheckpointPrepared', data: prepared }];
}

/**
 * Records the outcome of the prepared transaction, or of one that it has replaced. Appends nothing
 * if it is already recorded.
 */
function settleCheckpoint(
  { checkpoint }: LogState,
  outcome: TransactionOutcome,
): readonly CheckpointEvent[] {
  if (checkpoint.status !== 'processing') return [];
  const { memo, prepared } = checkpoint;
  const { transactionHash } = outcome.outcome === 'anchored' ? outcome.transaction : outcome;
  const isNewest = prepared.transactionHash === transactionHash;
  // If the newest is absent, all are; an absent earlier one leaves the newest.
  const isAbsence = outcome.outcome === 'absent' || outcome.outcome === 'ledgerGone';
  if (isAbsence ? !isNewest : signedAs(checkpoint, transactionHash) === undefined) return [];
  switch (outcome.outcome) {
    case 'anchored':
      return [{ type: 'CheckpointAnchored', data: { ...memo, ...outcome.transaction } }];
    case 'failed': {
      const { engineResult } = outcome;
      return [{ type: 'CheckpointRefused', data: { transactionHash, engineResult } }];
    }
    default:
      return [{ type: 'CheckpointExpired', data: { transactionHash, reason: outcome.outcome } }];
  }
}

/** Opens a new epoch, later than all known ones. Appends nothing while an epoch is being opened. */
function restore(state: LogState, restored: LogRestored['data']): readonly LogEvent[] {
  if (state.restoring !== null || restored.epoch <= state.epoch) return [];
  return [{ type: 'LogRestored', data: restored }];
}

/** Records transactions whose events were lost, while a new epoch is being opened. */
function loseTransactions(
  { restoring }: LogState,
  of: Pick<TransactionsLost['data'], 'network' | 'account'>,
  transactions: readonly LostTransaction[],
): readonly LogEvent[] {
  if (restoring === null || transactions.length === 0) return [];
  return [{ type: 'TransactionsLost', data: { epoch: restoring.epoch, ...of, transactions } }];
}

/** Starts the new epoch: the log knows every transaction of its accounts on the ledger. */
function reconcile(
  { restoring }: LogState,
  counted: { readonly recovered: number; readonly lost: number },
): readonly LogEvent[] {
  if (restoring === null) return [];
  return [{ type: 'LogReconciled', data: { epoch: restoring.epoch, ...counted } }];
}
