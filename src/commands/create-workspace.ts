import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import { createWorkspace as decideCreate } from '../domain/workspace/decide.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from './decide-on-organisation.ts';

/** Creates a workspace. Refuses with ORGANISATION_NOT_FOUND and, for its name, INVALID_REQUEST. */
export async function createWorkspace(
  deps: { readonly store: EventStore; readonly newId: () => string },
  order: { readonly organisationId: OrganisationId; readonly name: string },
  meta: EventMeta,
): Promise<WorkspaceId> {
  const { organisationId } = order;
  const workspaceId = deps.newId() as WorkspaceId;
  const events = decideCreate({ ...order, workspaceId });
  await loadOrganisation(deps.store, organisationId);
  const stream = streams.workspace(workspaceId);
  await deps.store.append([{ organisationId, stream, expectedVersion: 0, events }], meta);
  return workspaceId;
}
