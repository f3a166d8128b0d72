import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

/**
 * Creates a workspace. Refuses with ORGANISATION_NOT_FOUND, and with INVALID_REQUEST for its name.
 * The stream is new, so there is no state to decide on, and no retry.
 */
export async function createWorkspace(
  deps: { readonly store: EventStore; readonly newId: () => string },
  order: { readonly organisationId: OrganisationId; readonly name: string },
  meta: EventMeta,
): Promise<WorkspaceId> {
  const { organisationId } = order;
  const workspaceId = deps.newId() as WorkspaceId;
  const events = workspaceDecider.create({ ...order, workspaceId });
  await loadOrganisation(deps.store, organisationId);
  const stream = streams.workspace(workspaceId);
  await deps.store.append([{ organisationId, stream, expectedVersion: 0, events }], meta);
  return workspaceId;
}
