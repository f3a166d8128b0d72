import type { Recorded } from '../event.ts';
import type { OrganisationId } from '../ulid.ts';
import type { WorkspaceEvent } from './events.ts';

export type WorkspaceState =
  | { readonly status: 'unknown' }
  | { readonly status: 'open'; readonly organisationId: OrganisationId; readonly name: string };

export const unknownWorkspace: WorkspaceState = { status: 'unknown' };

export function evolveWorkspace(
  _state: WorkspaceState,
  event: Recorded<WorkspaceEvent>,
): WorkspaceState {
  switch (event.type) {
    case 'WorkspaceCreated':
      return {
        status: 'open',
        organisationId: event.data.organisationId,
        name: event.data.name,
      };
  }
}
