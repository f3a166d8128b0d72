import { organisationDecider } from '../domain/organisation/decider.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/** Switches API access on or off. Off stops new calls. Refuses with ORGANISATION_NOT_FOUND. */
export async function switchApiAccess(
  store: EventStore,
  organisationId: OrganisationId,
  enabled: boolean,
  meta: EventMeta,
): Promise<void> {
  const command = (state: OrganisationState) =>
    organisationDecider.switchApiAccess(requireOrganisation(state, organisationId), enabled);
  const stream = streams.organisation(organisationId);
  await handle(store, stream, organisationDecider, command, meta);
}
