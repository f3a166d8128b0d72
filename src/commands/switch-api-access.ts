import { organisationDecider } from '../domain/organisation/decider.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleOrganisation } from './handle-organisation.ts';

/** Switches API access on or off. Off stops new calls. Refuses with ORGANISATION_NOT_FOUND. */
export async function switchApiAccess(
  store: EventStore,
  organisationId: OrganisationId,
  enabled: boolean,
  meta: EventMeta,
): Promise<void> {
  const decide = (organisation: Organisation) =>
    organisationDecider.switchApiAccess(organisation, enabled);
  await handleOrganisation(store, organisationId, decide, meta);
}
