import { organisationDecider } from '../domain/organisation/decider.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';

/**
 * The current state of the organisation. Refuses with ORGANISATION_NOT_FOUND, also if it was
 * erased.
 */
export async function loadOrganisation(
  store: Pick<EventStore, 'readStream'>,
  organisationId: OrganisationId,
): Promise<Organisation> {
  const { state } = await load(store, streams.organisation(organisationId), organisationDecider);
  return requireOrganisation(state, organisationId);
}
