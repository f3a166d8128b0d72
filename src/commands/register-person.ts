import { peopleDecider } from '../domain/person/decider.ts';
import type { Passkey } from '../domain/person/events.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Accepts an invitation, once. Of several calls with the same invitation one is successful. Refuses
 * with NOT_FOUND an invitation that does not hold, and with INVALID_REQUEST the name.
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
): Promise<void> {
  const stream = streams.people(order.organisationId);
  await handle(
    store,
    stream,
    peopleDecider,
    (state) => peopleDecider.register(state, order, now()),
    meta,
  );
}
