import type { Decider, Decisions } from '../decider.ts';
import { checkName } from '../name.ts';
import type { WorkspaceCreated, WorkspaceEvent } from './events.ts';
import { evolveWorkspace, unknownWorkspace, type WorkspaceState } from './state.ts';

/** State of a workspace's stream, and the decisions on it. */
export const workspaceDecider = {
  initial: unknownWorkspace,
  evolve: evolveWorkspace,
  create,
} satisfies Decider<WorkspaceState, WorkspaceEvent> & Decisions;

function create(order: WorkspaceCreated['data']): readonly WorkspaceEvent[] {
  return [{ type: 'WorkspaceCreated', data: { ...order, name: checkName('name', order.name) } }];
}
