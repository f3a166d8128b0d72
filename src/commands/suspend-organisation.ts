import { organisationDecider } from '../domain/organisation/decider.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Stops new calls. Accepted work is still anchored and delivered. Refuses with
 * ORGANISATION_NOT_FOUND.
 */
export async function suspendOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  const command = (state: OrganisationState) =>
    organisationDecider.suspend(requireOrganisation(state, organisationId));
  const stream = streams.organisation(organisationId);
  await handle(store, stream, organisationDecider, command, meta);
}
