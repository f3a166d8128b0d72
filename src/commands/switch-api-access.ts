import { switchApiAccess as decide } from '../domain/organisation/decide.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Switches API access on or off; off stops new calls. Refuses with ORGANISATION_NOT_FOUND. */
export async function switchApiAccess(
  store: EventStore,
  organisationId: OrganisationId,
  enabled: boolean,
  meta: EventMeta,
): Promise<void> {
  await decideOnOrganisation(store, organisationId, (state) => decide(state, enabled), meta);
}
