import type { CheckpointAnchored } from '../../domain/log/checkpoint-events.ts';
import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { CheckpointTimestamped } from '../../domain/log/timestamp-events.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** An anchored checkpoint without a time-stamp token. */
export interface UnstampedCheckpoint {
  readonly logId: string;
  readonly memo: CheckpointMemo;
  /** Time of the record of its anchoring, ISO 8601. */
  readonly anchoredAt: string;
  /** Time of the first checkpoint that no token covers: this one, or an earlier one. */
  readonly since: string;
}

/** State of the fold, kept in the reactor's checkpoint. */
export interface TimestampingState {
  readonly pending: UnstampedCheckpoint | null;
}

type TimestampingEvent = StoredEvent<CheckpointAnchored | CheckpointTimestamped>;

export const timestampingTypes = [
  'CheckpointAnchored',
  'CheckpointTimestamped',
] satisfies TimestampingEvent['type'][];

const logPrefix = 'log-';

/**
 * The newest anchored checkpoint without a token. A token for it covers all earlier checkpoints too,
 * so these need none any more.
 */
export function foldTimestamping(
  { pending }: TimestampingState,
  event: StoredEvent,
): TimestampingState {
  const { type, data, stream, recordedAt } = event as TimestampingEvent;
  if (type === 'CheckpointTimestamped') {
    if (pending === null || pending.memo.rootHash === data.rootHash) return { pending: null };
    return { pending: { ...pending, since: pending.anchoredAt } };
  }
  const { origin, size, rootHash } = data;
  const logId = stream.slice(logPrefix.length);
  const since = pending?.since ?? recordedAt;
  const memo = { origin, size, rootHash };
  return { pending: { logId, memo, anchoredAt: recordedAt, since } };
}
