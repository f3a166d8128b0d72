import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { LogReading } from '../../loading/load-log.ts';
import type { LogStorage } from '../published/contract.ts';
import type { CheckpointHistory } from '../published/published-checkpoints.ts';

/** Parts to compare: the database, and the published log under STORAGE_URL. */
export interface ComparedLog {
  readonly store: Pick<EventStore, 'head'> & LogReading;
  readonly leaves: Pick<Leaves, 'read'>;
  readonly history: CheckpointHistory;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile' | 'readSubmitted'>;
}
