import { peopleDecider } from '../domain/person/decider.ts';
import type { Role } from '../domain/person/events.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, PersonId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

interface Whom {
  readonly organisationId: OrganisationId;
  readonly personId: PersonId;
}

/**
 * Changes the role of a person. Refuses with NOT_FOUND somebody who is not of this organisation, and
 * with INVALID_REQUEST the last owner.
 */
export async function changeRole(
  store: EventStore,
  { organisationId, personId, role }: Whom & { readonly role: Role },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.people(organisationId);
  const command = (state: Parameters<typeof peopleDecider.changeRole>[0]) =>
    peopleDecider.changeRole(state, personId, role);
  await handle(store, stream, peopleDecider, command, meta);
}

/** Removes a person. Refuses as `changeRole`; `mayBeLast` permits the last owner. */
export async function removePerson(
  store: EventStore,
  { organisationId, personId, mayBeLast = false }: Whom & { readonly mayBeLast?: boolean },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.people(organisationId);
  const command = (state: Parameters<typeof peopleDecider.remove>[0]) =>
    peopleDecider.remove(state, personId, { mayBeLast });
  await handle(store, stream, peopleDecider, command, meta);
}
