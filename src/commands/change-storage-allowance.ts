import { storageDecider } from '../domain/storage/decider.ts';
import type { StorageAllowance } from '../domain/storage/storage-allowance.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { loadNewest } from '../event-store/handling/load.ts';
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
  const decide = async () => {
    await loadOrganisation(store, organisationId);
    const { state, version: expectedVersion } = await loadNewest(store, stream, storageDecider);
    const events = storageDecider.change(state, allowance);
    const entry = { organisationId, stream, expectedVersion, events };
    return { entries: events.length === 0 ? [] : [entry] };
  };
  await handleStreams(store, decide, meta);
}
