import type { Decider } from '../decider.ts';
import type { RunEvent } from './events.ts';
import { evolveRun, type RunState, unknownRun } from './state.ts';

/** The state of a run's stream. */
export const runDecider: Decider<RunState, RunEvent> = {
  initial: unknownRun,
  evolve: evolveRun,
};
