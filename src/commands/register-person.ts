import { peopleDecider } from '../domain/person/decider.ts';
import type { Passkey } from '../domain/person/events.ts';
import { presentPeople } from '../domain/person/state.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Accepts an invitation, once, and returns the person's `registrations` then. Of several calls with
 * the same invitation one is successful. Refuses with NOT_FOUND an invitation that does not hold, and
 * with INVALID_REQUEST the name.
 */
export async function registerPerson(
  { store, now }: { readonly store: EventStore; readonly now: () => Date },
  order: {
    readonly organisationId: OrganisationId;
    readonly invitationHash: Digest;
    readonly name: string;
    readonly passkey: Passkey;
  },
  meta: EventMeta,
): Promise<number> {
  const stream = streams.people(order.organisationId);
  const { state } = await handle(
    store,
    stream,
    peopleDecider,
    (present) => peopleDecider.register(present, order, now()),
    meta,
  );
  const before = presentPeople(state).find(
    ({ invitation }) => invitation?.invitationHash === order.invitationHash,
  );
  return 1 + (before?.registrations ?? 0);
}
