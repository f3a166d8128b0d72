import type { Decisions } from '../decider.ts';
import { Refusal } from '../refusal.ts';
import type { WorkspaceId } from '../ulid.ts';
import type { WorkspacePlaceEvent } from './events.ts';

/**
 * Decisions on the places of an organisation's workspaces. The stream is a fence only: a read model
 * counts the workspaces, since operators create some without a place.
 */
export const workspacePlacesDecider = { take } satisfies Decisions;

/** Maximum number of workspaces up to which owners can create further ones: they are read together. */
export const maxWorkspaces = 1_000;

/** Takes a place for a workspace, beside the `existing` ones. Refuses with INVALID_REQUEST. */
function take(existing: number, workspaceId: WorkspaceId): readonly WorkspacePlaceEvent[] {
  if (existing >= maxWorkspaces) {
    const most = maxWorkspaces.toLocaleString('en');
    const message = `the organisation has ${most} workspaces, the maximum`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'WorkspacePlaceTaken', data: { workspaceId, taken: existing + 1 } }];
}
