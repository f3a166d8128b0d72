import type { Recorded } from '../event.ts';
import { isReplacement } from '../ledger/transaction.ts';
import type { CheckpointAnchored } from './checkpoint-events.ts';
import type { LogEvent } from './events.ts';
import { parseOrigin } from './origin.ts';
import type { AnchoredCheckpoint, LogState } from './state.ts';

const none = { status: 'none' } as const;

/**
 * Folds one event into the state. A fold may begin at any LogOpened, LogRestored or
 * CheckpointRequested. Earlier events matter only for the last anchored checkpoint. Throws if any
 * other event cannot follow, which is a defect.
 */
export function evolveLog(state: LogState, event: Recorded<LogEvent>): LogState {
  const { checkpoint } = state;
  switch (event.type) {
    case 'LogOpened':
      return {
        ...state,
        logId: event.data.logId,
        name: event.data.origin,
        epoch: 1,
        lastTurnAt: event.recordedAt,
      };
    case 'LogRestored': {
      const { epoch } = event.data;
      // A pending checkpoint is of another tree and is requested anew. A signed one may already be
      // on the ledger.
      const rest = checkpoint.status === 'pending' ? none : checkpoint;
      const restored = { restoring: event.data, lastTurnAt: event.recordedAt };
      return { ...state, ...restored, epoch, checkpoint: rest };
    }
    case 'TransactionsLost':
      return state;
    case 'LogReconciled':
      return { ...state, restoring: null };
    case 'CheckpointRequested': {
      if (checkpoint.status !== 'none') return impossible(state, event);
      const { reason: _, ...memo } = event.data;
      const named = parseOrigin(memo.origin);
      if (named === null) return impossible(state, event);
      const pending = { status: 'pending', memo, failures: 0 } as const;
      return { ...state, ...named, lastTurnAt: event.recordedAt, checkpoint: pending };
    }
    case 'CheckpointPrepared':
      if (checkpoint.status === 'processing' && isReplacement(checkpoint.prepared, event.data)) {
        const replaced = [...checkpoint.replaced, checkpoint.prepared];
        return { ...state, checkpoint: { ...checkpoint, prepared: event.data, replaced } };
      }
      if (checkpoint.status !== 'pending') return impossible(state, event);
      return {
        ...state,
        checkpoint: { ...checkpoint, status: 'processing', prepared: event.data, replaced: [] },
      };
    case 'CheckpointAnchored':
      if (checkpoint.status !== 'processing') return impossible(state, event);
      return {
        ...state,
        checkpoint: none,
        anchored: anchoredOf(event.data, checkpoint.prepared.account),
      };
    case 'CheckpointExpired': {
      if (checkpoint.status !== 'processing') return impossible(state, event);
      const { memo, failures } = checkpoint;
      // A checkpoint of an earlier epoch need not be anchored any more.
      if (parseOrigin(memo.origin)?.epoch !== state.epoch) return { ...state, checkpoint: none };
      return { ...state, checkpoint: { status: 'pending', memo, failures: failures + 1 } };
    }
    case 'CheckpointRefused':
      if (checkpoint.status !== 'processing') return impossible(state, event);
      return { ...state, checkpoint: none };
  }
}

function anchoredOf(data: CheckpointAnchored['data'], account: string): AnchoredCheckpoint {
  const {
    metadata: _,
    ledgerHeader: __,
    closeTime: ___,
    transactionIndex: ____,
    ...anchored
  } = data;
  return { ...anchored, account };
}

function impossible(state: LogState, event: LogEvent): never {
  throw new Error(`${event.type} cannot follow while a checkpoint is ${state.checkpoint.status}`);
}
