import type { CheckpointAnchored } from '../../domain/log/checkpoint-events.ts';
import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { CheckpointTimestamped } from '../../domain/log/timestamp-events.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** An anchored checkpoint without a time-stamp token. */
export interface UnstampedCheckpoint {
  readonly logId: string;
  readonly memo: CheckpointMemo;
  /** Time of the record of its anchoring, ISO 8601. */
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
    return { pending: pending?.memo.rootHash === data.rootHash ? null : pending };
  }
  const { origin, size, rootHash } = data;
  const logId = stream.slice(logPrefix.length);
  return { pending: { logId, memo: { origin, size, rootHash }, since: recordedAt } };
}
