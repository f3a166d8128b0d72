import type { Decider } from '../decider.ts';
import type { KeyEvent } from './events.ts';
import { evolveKey, type KeyState, unknownKey } from './state.ts';

/** The state of a key's stream. */
export const keyDecider: Decider<KeyState, KeyEvent> = {
  initial: unknownKey,
  evolve: evolveKey,
};
