import { storageDecider } from '../domain/storage/decider.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import {
  loadStorageUse,
  type OrganisationFile,
  type StorageLimiting,
} from '../loading/storage-use.ts';

/**
 * Decides that a file is stored within the organisation's storage allowance. Appended together with
 * the file's event, it fences concurrent uploads. Nothing is appended without an allowance. Throws
 * `AllowanceExceeded`.
 */
export async function takeStorage(
  deps: StorageLimiting & { readonly store: EventStore },
  { organisationId, fileSizeBytes }: OrganisationFile,
  documentId: DocumentId,
): Promise<readonly StreamAppend[]> {
  const use = await loadStorageUse(deps, organisationId);
  if (use === null) return [];
  const { usedBytes, limitBytes, allowance, version: expectedVersion } = use;
  const taking = { usedBytes, limitBytes, fileSizeBytes };
  const events = storageDecider.take(taking, documentId, allowance);
  return [{ organisationId, stream: streams.storage(organisationId), expectedVersion, events }];
}
