import { peopleDecider } from '../domain/person/decider.ts';
import type { PeopleState } from '../domain/person/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';

/** The people of an organisation that exists and was not erased. */
export async function loadPeople(
  store: Pick<EventStore, 'readStream'>,
  organisationId: OrganisationId,
): Promise<PeopleState> {
  const { state } = await load(store, streams.people(organisationId), peopleDecider);
  return state;
}
