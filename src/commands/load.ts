import type { Recorded } from '../domain/event.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/** A stream folded, with the version at which the next event is to be appended. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
}

/** Folds a stream that holds only events of one concept. */
export async function load<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  initial: State,
  evolve: (state: State, event: Recorded<Event>) => State,
): Promise<Loaded<State>> {
  return fold(await store.readStream(stream), initial, evolve);
}

/** Folds events that were read already. */
export function fold<State, Event extends DomainEvent>(
  events: readonly StoredEvent[],
  initial: State,
  evolve: (state: State, event: Recorded<Event>) => State,
): Loaded<State> {
  // A stream's name says which concept's events it holds; the store cannot know that.
  const own = events as unknown as readonly Recorded<Event>[];
  return { state: own.reduce(evolve, initial), version: events.length };
}
