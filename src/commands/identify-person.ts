import { type IdentifyOrder, peopleDecider } from '../domain/person/decider.ts';
import { indexedIdentity, requirePerson } from '../domain/person/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Signs a person in by an identity of an issuer, which an invitation binds to the person. Returns the
 * person's `registrations` then. Of two identities at the same time, one is bound. Refuses as
 * `peopleDecider.identify`.
 */
export async function identifyPerson(
  { store, now }: { readonly store: EventStore; readonly now: () => Date },
  {
    organisationId,
    ...order
  }: Omit<IdentifyOrder, 'identityIndex'> & { readonly organisationId: OrganisationId },
  meta: EventMeta,
): Promise<number> {
  const identityIndex = await store.serviceIndex(indexedIdentity(order.identity));
  const { state, appended } = await handle(
    store,
    streams.people(organisationId),
    peopleDecider,
    (present) => peopleDecider.identify(present, { ...order, identityIndex }, now()),
    meta,
  );
  return requirePerson(state, order.personId).registrations + appended.length;
}
