import type { Decider } from '../decider.ts';
import type { LogEvent } from './events.ts';
import { evolveLog } from './evolve.ts';
import { type LogState, unopenedLog } from './state.ts';

/** The state of a log's stream. */
export const logDecider: Decider<LogState, LogEvent> = {
  initial: unopenedLog,
  evolve: evolveLog,
};
