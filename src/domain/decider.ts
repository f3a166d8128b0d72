import type { Recorded } from './event.ts';

/** How the events of one stream make its state. */
export interface Decider<State, Event> {
  /** The state of a stream that does not exist. */
  readonly initial: State;
  /** Folds one event into the state. An event that cannot follow is a defect and throws. */
  evolve(state: State, event: Recorded<Event>): State;
}
