import type { Decisions, OwnedDecider } from '../decider.ts';
import { checkName } from '../name.ts';
import { ownerOf } from '../owner-of.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationId } from '../ulid.ts';
import type { WorkspaceCreated, WorkspaceEvent } from './events.ts';
import { evolveWorkspace, unknownWorkspace, type WorkspaceState } from './state.ts';

/** State of a workspace's stream, and the decisions on it. */
export const workspaceDecider = {
  initial: unknownWorkspace,
  evolve: evolveWorkspace,
  ownerOf: (state: WorkspaceState) => ownerOf(state),
  create,
  rename,
} satisfies OwnedDecider<WorkspaceState, WorkspaceEvent> & Decisions;

/** Maximum number of new names: each request for a proof reads the whole stream. */
export const maxRenamings = 100;

function create(order: WorkspaceCreated['data']): readonly WorkspaceEvent[] {
  return [{ type: 'WorkspaceCreated', data: { ...order, name: checkName('name', order.name) } }];
}

/**
 * Gives a workspace another name; none for the name that it has. Refuses with NOT_FOUND the
 * workspace of another organisation as one that never was, and with INVALID_REQUEST the name, and
 * more than 100 new names.
 */
function rename(
  state: WorkspaceState,
  organisationId: OrganisationId,
  text: string,
): readonly WorkspaceEvent[] {
  if (state.status === 'unknown' || state.organisationId !== organisationId) {
    throw new Refusal('NOT_FOUND', 'the organisation has no such workspace');
  }
  const name = checkName('name', text);
  if (name === state.name) return [];
  if (state.renamings >= maxRenamings) {
    throw new Refusal(
      'INVALID_REQUEST',
      `the workspace was renamed ${maxRenamings} times, the maximum`,
    );
  }
  return [{ type: 'WorkspaceRenamed', data: { workspaceId: state.workspaceId, name } }];
}
