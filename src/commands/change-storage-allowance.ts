import { storageDecider } from '../domain/storage/decider.ts';
import type { StorageAllowance } from '../domain/storage/storage-allowance.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

/**
 * Sets the maximum bytes of all stored files of an organisation. Files beyond a lower allowance
 * stay. Refuses with ORGANISATION_NOT_FOUND and INVALID_REQUEST.
 */
export async function changeStorageAllowance(
  store: EventStore,
  organisationId: OrganisationId,
  allowance: StorageAllowance,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.storage(organisationId);
  await retryOnConflict(async () => {
    await loadOrganisation(store, organisationId);
    const newest = await store.readLast(stream);
    const events = storageDecider.change(storageDecider.allowanceAfter(newest), allowance);
    if (events.length === 0) return;
    const expectedVersion = newest?.version ?? 0;
    await store.append([{ organisationId, stream, expectedVersion, events }], meta);
  });
}
