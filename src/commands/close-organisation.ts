import { closeOrganisation as decide } from '../domain/organisation/decide.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { OrganisationEnding } from '../event-store/organisation-ending.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation, loadOrganisation } from './decide-on-organisation.ts';

/**
 * Lets nothing new begin in an organisation, for good: its calls are refused, and so is what a call
 * that was let in before would still append. What was accepted goes on to its end. May be repeated.
 * Refuses with ORGANISATION_NOT_FOUND.
 */
export async function closeOrganisation(
  { store, ending }: { readonly store: EventStore; readonly ending: OrganisationEnding },
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  await loadOrganisation(store, organisationId);
  await ending.close(organisationId);
  await decideOnOrganisation(store, organisationId, decide, meta);
}
