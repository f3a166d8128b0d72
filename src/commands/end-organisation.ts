import { organisationDecider } from '../domain/organisation/decider.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { retryOnConflict } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import type { OrganisationEnding } from '../event-store/organisation-ending.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Ends an organisation: appends its last event and destroys its keys, in one transaction. The
 * caller records this outside the database before, so that the erasure is repeated after the
 * restore of a backup. May be repeated, and is repeated at every start for all recorded
 * organisations. If the log does not know the organisation, or already has its end, this only
 * destroys keys that a backup restored. Appends by `OrganisationEnding`, so not by `handle`.
 */
export async function endOrganisation(
  { store, ending }: { readonly store: EventStore; readonly ending: OrganisationEnding },
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.organisation(organisationId);
  await retryOnConflict(async () => {
    const { state, version } = await load(store, stream, organisationDecider);
    if (state.status !== 'open') return ending.destroyKeys(organisationId);
    const [event] = organisationDecider.erase(state);
    if (event === undefined) throw new Error(`nothing was decided on ${organisationId}`);
    await ending.end({ organisationId, stream, expectedVersion: version, event }, meta);
  });
}
