import type { Outcome, SignedTransaction } from '../ledger/transaction.ts';
import type { CheckpointEvent, CheckpointRequested } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';
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
