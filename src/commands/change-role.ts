import { peopleDecider } from '../domain/person/decider.ts';
import type { Role } from '../domain/person/events.ts';
import type { PeopleState } from '../domain/person/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, PersonId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Changes the role of a person. Refuses with NOT_FOUND somebody who is not of this organisation, and
 * with INVALID_REQUEST the last owner, and more than `maxRoleChanges` changes.
 */
export async function changeRole(
  store: EventStore,
  order: {
    readonly organisationId: OrganisationId;
    readonly personId: PersonId;
    readonly role: Role;
  },
  meta: EventMeta,
): Promise<void> {
  const { organisationId, personId, role } = order;
  const command = (state: PeopleState) => peopleDecider.changeRole(state, personId, role);
  await handle(store, streams.people(organisationId), peopleDecider, command, meta);
}
