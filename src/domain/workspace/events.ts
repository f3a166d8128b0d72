import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId, WorkspaceId } from '../ulid.ts';

export type WorkspaceCreated = EventOf<
  'WorkspaceCreated',
  {
    readonly workspaceId: WorkspaceId;
    readonly organisationId: OrganisationId;
    readonly name: string;
  }
>;

type WorkspaceRenamed = EventOf<
  'WorkspaceRenamed',
  { readonly workspaceId: WorkspaceId; readonly name: string }
>;

/**
 * Fence that keeps the workspaces that owners create within their limit. Appended together with the
 * creation, to the stream of the organisation's places. `taken` is the number of workspaces then.
 */
type WorkspacePlaceTaken = EventOf<
  'WorkspacePlaceTaken',
  { readonly workspaceId: WorkspaceId; readonly taken: number }
>;

export type WorkspaceEvent = WorkspaceCreated | WorkspaceRenamed;

/** The events of the stream of an organisation's places for workspaces. */
export type WorkspacePlaceEvent = WorkspacePlaceTaken;

export const workspaceEvents: DefinitionsOf<WorkspaceEvent | WorkspacePlaceEvent> = {
  WorkspaceCreated: { schema: 1, clear: ['workspaceId', 'organisationId'] },
  WorkspaceRenamed: { schema: 1, clear: ['workspaceId'] },
  WorkspacePlaceTaken: { schema: 1, clear: ['workspaceId', 'taken'] },
};
