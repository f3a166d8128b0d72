import { organisationDecider } from '../domain/organisation/decider.ts';
import type { OrganisationEvent } from '../domain/organisation/events.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { Organisation, OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/** `handle` for an organisation that exists. Refuses with ORGANISATION_NOT_FOUND. */
export async function handleOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  decide: (organisation: Organisation) => readonly OrganisationEvent[],
  meta: EventMeta,
): Promise<void> {
  const stream = streams.organisation(organisationId);
  const command = (state: OrganisationState) => decide(requireOrganisation(state, organisationId));
  await handle(store, stream, organisationDecider, command, meta);
}
