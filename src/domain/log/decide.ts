import type { Outcome, SignedTransaction } from '../ledger/transaction.ts';
import type { CheckpointEvent, CheckpointRequested } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';
import type { LogEvent, LogRestored, LostTransaction, TransactionsLost } from './events.ts';
import { originOf } from './origin.ts';
import type { LogState } from './state.ts';

/**
 * Requests that a checkpoint be anchored. Nothing while another one is open, where one is anchored that
 * covers it, and of another epoch than the log's.
 */
export function requestCheckpoint(
  state: LogState,
  memo: CheckpointMemo,
  reason: CheckpointRequested['data']['reason'],
): readonly CheckpointEvent[] {
  if (state.checkpoint.status !== 'none' || state.restoring !== null) return [];
  if (memo.origin !== originOf(state.logId, state.epoch)) return [];
  const { anchored } = state;
  if (anchored !== null && anchored.origin === memo.origin && anchored.size >= memo.size) return [];
  return [{ type: 'CheckpointRequested', data: { ...memo, reason } }];
}

/** Puts a signed transaction on record; nothing if no checkpoint waits for one. */
export function prepareCheckpoint(
  { checkpoint }: LogState,
  prepared: SignedTransaction,
): readonly CheckpointEvent[] {
  if (checkpoint.status !== 'pending') return [];
  return [{ type: 'CheckpointPrepared', data: prepared }];
}

/** Records what became of the prepared transaction; nothing where that is on record. */
export function settleCheckpoint(
  { checkpoint }: LogState,
  outcome: Outcome,
): readonly CheckpointEvent[] {
  if (checkpoint.status !== 'processing') return [];
  const { memo, prepared } = checkpoint;
  const { transactionHash } = outcome.outcome === 'anchored' ? outcome.transaction : outcome;
  if (prepared.transactionHash !== transactionHash) return [];
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

/** Opens a new epoch, later than any that is known of. Nothing where one is being opened. */
export function restoreLog(state: LogState, restored: LogRestored['data']): readonly LogEvent[] {
  if (state.restoring !== null || restored.epoch <= state.epoch) return [];
  return [{ type: 'LogRestored', data: restored }];
}

/** Names transactions whose events were lost, while a new epoch is being opened. */
export function loseTransactions(
  { restoring }: LogState,
  of: Pick<TransactionsLost['data'], 'network' | 'account'>,
  transactions: readonly LostTransaction[],
): readonly LogEvent[] {
  if (restoring === null || transactions.length === 0) return [];
  return [{ type: 'TransactionsLost', data: { epoch: restoring.epoch, ...of, transactions } }];
}

/** The new epoch begins: the log knows all that the ledger has of its accounts. */
export function reconcileLog(
  { restoring }: LogState,
  counted: { readonly recovered: number; readonly lost: number },
): readonly LogEvent[] {
  if (restoring === null) return [];
  return [{ type: 'LogReconciled', data: { epoch: restoring.epoch, ...counted } }];
}
