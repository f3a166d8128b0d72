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

export type WorkspaceEvent = WorkspaceCreated | WorkspaceRenamed;

export const workspaceEvents: DefinitionsOf<WorkspaceEvent> = {
  WorkspaceCreated: { schema: 1, clear: ['workspaceId', 'organisationId'] },
  WorkspaceRenamed: { schema: 1, clear: ['workspaceId'] },
};
