import { organisationDecider } from '../domain/organisation/decider.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { OrganisationEnding } from '../event-store/organisation-ending.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

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
  const command = (state: OrganisationState) =>
    organisationDecider.close(requireOrganisation(state, organisationId));
  const stream = streams.organisation(organisationId);
  await handle(store, stream, organisationDecider, command, meta);
}
