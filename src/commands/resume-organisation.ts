import { organisationDecider } from '../domain/organisation/decider.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleOrganisation } from './handle-organisation.ts';

/**
 * Accepts calls again. Refuses with ORGANISATION_NOT_FOUND, and with `OrganisationShut` if the
 * organisation is closed.
 */
export async function resumeOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  await handleOrganisation(store, organisationId, organisationDecider.resume, meta);
}
