import type { DefinitionsOf, EventOf } from '../event.ts';
import type { DocumentId } from '../ulid.ts';
import type { StorageAllowance } from './storage-allowance.ts';

/** An operator set the storage allowance. */
type StorageAllowanceChanged = EventOf<
  'StorageAllowanceChanged',
  { readonly storageAllowance: StorageAllowance }
>;

/**
 * A file was stored within the allowance. `usedBytes` includes it. The allowance is repeated, so
 * that the newest event alone holds it.
 */
type StorageTaken = EventOf<
  'StorageTaken',
  {
    readonly documentId: DocumentId;
    readonly fileSizeBytes: number;
    readonly usedBytes: number;
    readonly storageAllowance: StorageAllowance;
  }
>;

export type StorageEvent = StorageAllowanceChanged | StorageTaken;

export const storageEvents: DefinitionsOf<StorageEvent> = {
  StorageAllowanceChanged: { schema: 1, clear: ['storageAllowance'] },
  StorageTaken: {
    schema: 1,
    clear: ['documentId', 'fileSizeBytes', 'usedBytes', 'storageAllowance'],
  },
};
