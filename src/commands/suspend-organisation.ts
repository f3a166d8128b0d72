import { organisationDecider } from '../domain/organisation/decider.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleOrganisation } from './handle-organisation.ts';

/**
 * Stops new calls. Accepted work is still anchored and delivered. Refuses with
 * ORGANISATION_NOT_FOUND.
 */
export async function suspendOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  await handleOrganisation(store, organisationId, organisationDecider.suspend, meta);
}
