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

export type WorkspaceEvent = WorkspaceCreated;

export const workspaceEvents: DefinitionsOf<WorkspaceEvent> = {
  WorkspaceCreated: { schema: 1, clear: ['workspaceId', 'organisationId'] },
};
