import type { DefinitionsOf, EventOf } from '../event.ts';
import {
  beforeReplacements,
  type SignedTransaction,
  signedFacts,
  type ValidatedTransaction,
  validatedFacts,
  withoutReplacement,
} from '../ledger/transaction.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';

/**
 * A checkpoint of the log is to be anchored, because its interval has passed or an operator asked
 * for it.
 */
export type CheckpointRequested = EventOf<
  'CheckpointRequested',
  CheckpointMemo & { readonly reason: 'interval' | 'operator' }
>;

/**
 * A signed transaction with the checkpoint's memo, recorded before its first byte is sent. It may
 * replace the outstanding one.
 */
export type CheckpointPrepared = EventOf<'CheckpointPrepared', SignedTransaction>;

/** The transaction is in a validated ledger with tesSUCCESS. */
export type CheckpointAnchored = EventOf<
  'CheckpointAnchored',
  CheckpointMemo & ValidatedTransaction
>;

/**
 * The transaction is definitively not on the ledger, and neither is any that it has replaced. The
 * same checkpoint is signed again.
 */
type CheckpointExpired = EventOf<
  'CheckpointExpired',
  { readonly transactionHash: string; readonly reason: 'absent' | 'ledgerGone' }
>;

/**
 * The transaction is on the ledger as a failure. This checkpoint is given up; later ones may be
 * anchored.
 */
type CheckpointRefused = EventOf<
  'CheckpointRefused',
  { readonly transactionHash: string; readonly engineResult: string }
>;

export type CheckpointEvent =
  | CheckpointRequested
  | CheckpointPrepared
  | CheckpointAnchored
  | CheckpointExpired
  | CheckpointRefused;

export const checkpointEvents: DefinitionsOf<CheckpointEvent> = {
  CheckpointRequested: { schema: 1, clear: ['origin', 'size', 'rootHash', 'reason'] },
  CheckpointPrepared: {
    schema: 2,
    clear: [...signedFacts, 'blob'],
    upcasts: { 1: withoutReplacement },
    downcast: beforeReplacements,
  },
  CheckpointAnchored: { schema: 1, clear: ['origin', 'size', 'rootHash', ...validatedFacts] },
  CheckpointExpired: { schema: 1, clear: ['transactionHash', 'reason'] },
  CheckpointRefused: { schema: 1, clear: ['transactionHash', 'engineResult'] },
};
