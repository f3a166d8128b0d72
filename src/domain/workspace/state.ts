import type { Recorded } from '../event.ts';
import type { OrganisationId, WorkspaceId } from '../ulid.ts';
import type { WorkspaceEvent } from './events.ts';

export type WorkspaceState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'open';
      readonly workspaceId: WorkspaceId;
      readonly organisationId: OrganisationId;
      readonly name: string;
      /** Number of new names since its creation. */
      readonly renamings: number;
    };

export const unknownWorkspace: WorkspaceState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveWorkspace(
  state: WorkspaceState,
  event: Recorded<WorkspaceEvent>,
): WorkspaceState {
  switch (event.type) {
    case 'WorkspaceCreated': {
      const { workspaceId, organisationId, name } = event.data;
      return { status: 'open', workspaceId, organisationId, name, renamings: 0 };
    }
    case 'WorkspaceRenamed': {
      if (state.status === 'unknown') throw new Error(`${event.type} before WorkspaceCreated`);
      return { ...state, name: event.data.name, renamings: state.renamings + 1 };
    }
  }
}
