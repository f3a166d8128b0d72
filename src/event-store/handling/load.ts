import type { Decider, NewestDecider } from '../../domain/decider.ts';
import type { Recorded } from '../../domain/event.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore } from '../event-store.ts';

/** The folded state of a stream, with its version. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
}

/** Reads a stream and folds it. */
export async function load<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  stream: StreamName<Event>,
  decider: Decider<State, Event>,
): Promise<Loaded<State>> {
  return fold(await store.readStream(stream), decider);
}

/** Loads a state that the newest event of a stream alone holds. */
export async function loadNewest<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readLast'>,
  stream: StreamName<Event>,
  { stateAfter }: NewestDecider<State, Event>,
): Promise<Loaded<State>> {
  const newest = await store.readLast(stream);
  return { state: stateAfter(newest), version: newest?.version ?? 0 };
}

/** Folds the events of a whole stream; a stream that does not exist has none. */
export function fold<State, Event>(
  events: readonly Recorded<Event>[] | undefined,
  { initial, evolve }: Decider<State, Event>,
): Loaded<State> {
  return { state: (events ?? []).reduce(evolve, initial), version: events?.length ?? 0 };
}
