import type { Decider } from '../decider.ts';
import type { HashEvent } from './events.ts';
import { evolveHash, freeHash, type HashState } from './state.ts';

export const hashDecider: Decider<HashState, HashEvent> = {
  initial: freeHash,
  evolve: evolveHash,
};
