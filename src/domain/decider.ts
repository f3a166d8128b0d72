import type { Recorded } from './event.ts';
import type { OrganisationId } from './ulid.ts';

/**
 * Folds the events of one stream into its state. The other members of a decider are its decisions.
 */
export interface Decider<State, Event> {
  /** The state of a stream that does not exist. */
  readonly initial: State;
  /** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
  evolve(state: State, event: Recorded<Event>): State;
}

/** A decider of streams with one owner each. */
export interface OwnedDecider<State, Event> extends Decider<State, Event> {
  /** Organisation that owns the decided events; null for events of the service itself. */
  ownerOf(state: State, decided: readonly Event[]): OrganisationId | null;
}

/** A decider of streams whose newest event alone holds the state. */
export interface NewestDecider<State, Event> {
  /** State after the newest event; null for a stream that does not exist. */
  readonly stateAfter: (newest: Event | null) => State;
}

/** Decisions of a decider by name: functions that return the events to append. */
export type Decisions = Readonly<Record<string, unknown>>;
