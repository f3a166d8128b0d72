import type { LogStorage } from '../../../src/transparency-log/published/contract.ts';

/** Reads a published log. */
export type PublishedReader = Pick<LogStorage, 'readCheckpoint' | 'readTile'> &
  Partial<Pick<LogStorage, 'close'>>;
