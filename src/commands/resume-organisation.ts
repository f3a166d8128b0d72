import { resumeOrganisation as decide } from '../domain/organisation/decide.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Lets calls in again. Refuses with ORGANISATION_NOT_FOUND. */
export async function resumeOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  await decideOnOrganisation(store, organisationId, decide, meta);
}
