import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import type { WorkspaceState } from '../domain/workspace/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Gives a workspace of the organisation another name. Refuses with NOT_FOUND, without distinguishing
 * an absent workspace from another organisation's, and with INVALID_REQUEST for its name. `seen`:
 * version of the workspace's stream on which the name was decided; rejects with `ChangedMeanwhile` if
 * it has another one.
 */
export async function renameWorkspace(
  store: EventStore,
  {
    organisationId,
    workspaceId,
    name,
  }: {
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
    readonly name: string;
  },
  meta: EventMeta,
  seen: number | null = null,
): Promise<void> {
  const command = (state: WorkspaceState) => workspaceDecider.rename(state, organisationId, name);
  const stream = streams.workspace(workspaceId);
  await handle(store, stream, workspaceDecider, command, meta, seen);
}
