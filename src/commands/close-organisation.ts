import { organisationDecider } from '../domain/organisation/decider.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { OrganisationEnding } from '../event-store/organisation-ending.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';
import { handleOrganisation } from './handle-organisation.ts';

/**
 * Closes an organisation for good. Its calls are refused, and calls already under way can begin no
 * new streams. Accepted work is completed. May be repeated. Refuses with ORGANISATION_NOT_FOUND.
 */
export async function closeOrganisation(
  { store, ending }: { readonly store: EventStore; readonly ending: OrganisationEnding },
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  await loadOrganisation(store, organisationId);
  await ending.close(organisationId);
  await handleOrganisation(store, organisationId, organisationDecider.close, meta);
}
