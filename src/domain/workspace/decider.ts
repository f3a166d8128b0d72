import type { Decider } from '../decider.ts';
import type { WorkspaceEvent } from './events.ts';
import { evolveWorkspace, unknownWorkspace, type WorkspaceState } from './state.ts';

/** The state of a workspace's stream. */
export const workspaceDecider: Decider<WorkspaceState, WorkspaceEvent> = {
  initial: unknownWorkspace,
  evolve: evolveWorkspace,
};
