import { peopleDecider } from '../domain/person/decider.ts';
import type { PeopleState } from '../domain/person/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { type Loaded, load } from '../event-store/handling/load.ts';

/** The people of an organisation that exists and was not erased, as of the call or later. */
export type KnownPeople = (organisationId: OrganisationId) => Promise<PeopleState>;

/** Number of organisations whose people are kept: those that were read last. */
const mostKept = 2_000;
/** How long people are kept after they were read: no longer than that after an erasure, too. */
const keptMs = 60_000;

/**
 * Keeps the people of organisations for all requests of a process, since their stream can have
 * thousands of events. It is read again only after something was appended to it, and once for all
 * requests that wait for it.
 */
export function createKnownPeople(store: Pick<EventStore, 'readStream' | 'readLast'>): KnownPeople {
  const kept = new Map<OrganisationId, Promise<Loaded<PeopleState>>>();

  const forget = (id: OrganisationId, reading: Promise<Loaded<PeopleState>>) => {
    if (kept.get(id) === reading) kept.delete(id);
  };

  const read = async (id: OrganisationId): Promise<Loaded<PeopleState>> => {
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    const reading = load(store, streams.people(id), peopleDecider);
    kept.set(id, reading);
    reading.catch(() => forget(id, reading));
    setTimeout(() => forget(id, reading), keptMs).unref();
    return reading;
  };

  return async (id) => {
    const newest = (await store.readLast(streams.people(id)))?.version ?? 0;
    for (;;) {
      const known = kept.get(id);
      if (known === undefined) return (await read(id)).state;
      const { state, version } = await known;
      if (version >= newest) return state;
      // Another request may have begun to read anew meanwhile.
      forget(id, known);
    }
  };
}
