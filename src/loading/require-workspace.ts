import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import type { WorkspaceEvent } from '../domain/workspace/events.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

interface OwnedWorkspace {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
}

/** Refuses with INVALID_WORKSPACE if the workspace is not the organisation's. */
export async function requireWorkspace(
  store: Pick<EventStore, 'readStream'>,
  of: OwnedWorkspace,
): Promise<void> {
  checkWorkspace(await store.readStream(streams.workspace(of.workspaceId)), of.organisationId);
}

/** As `requireWorkspace`, for the events of a workspace's stream. */
export function checkWorkspace(
  events: readonly StoredEvent<WorkspaceEvent>[] | undefined,
  organisationId: OrganisationId,
): void {
  const { state } = fold(events, workspaceDecider);
  if (state.status === 'unknown' || state.organisationId !== organisationId) {
    throw new Refusal(
      'INVALID_WORKSPACE',
      'workspace: there is no such workspace in this organisation; see GET /workspaces',
    );
  }
}
