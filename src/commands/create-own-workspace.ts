import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import { workspacePlacesDecider } from '../domain/workspace/places-decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

export interface CreateOwnWorkspaceDeps {
  readonly store: EventStore;
  readonly turns: Turns;
  /** Counts an organisation's workspaces, all those included that were created before the call. */
  readonly countWorkspaces: (organisationId: OrganisationId) => Promise<number>;
}

/**
 * Creates a workspace for an owner, at most up to the maximum number. Refuses with
 * ORGANISATION_NOT_FOUND, and with INVALID_REQUEST the name, the maximum, and an id that was used.
 */
export async function createOwnWorkspace(
  { store, turns, countWorkspaces }: CreateOwnWorkspaceDeps,
  order: {
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
    readonly name: string;
  },
  meta: EventMeta,
): Promise<void> {
  const { organisationId, workspaceId } = order;
  const stream = streams.workspace(workspaceId);
  const places = streams.workspacePlaces(organisationId);
  const events = workspaceDecider.create(order);
  const decide = async () => {
    // Without this check, an id that was used would cause conflicts for ever.
    if ((await store.readLast(stream)) !== null) {
      throw new Refusal('INVALID_REQUEST', 'this workspace was created already');
    }
    await loadOrganisation(store, organisationId);
    // Read the fence before the count, so that a workspace created after the count causes a conflict.
    const expectedVersion = await store.versionOf(places);
    const taken = workspacePlacesDecider.take(await countWorkspaces(organisationId), workspaceId);
    return {
      entries: [
        { organisationId, stream, expectedVersion: 0, events },
        { organisationId, stream: places, expectedVersion, events: taken },
      ],
    };
  };
  await turns.take(places, () => handleStreams(store, decide, meta));
}
