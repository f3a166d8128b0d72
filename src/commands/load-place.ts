import { evolveHash, freeHash, type HashState } from '../domain/hash/state.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import {
  evolveOrganisation,
  type Organisation,
  unknownOrganisation,
} from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold, type Loaded } from './load.ts';
import { checkWorkspace } from './require-workspace.ts';

/** What an upload to a workspace is decided upon. */
export interface Place {
  readonly hash: Loaded<HashState>;
  readonly organisation: Organisation;
}

/**
 * Reads the hash together with its workspace and the organisation, in one query. Refuses with
 * INVALID_WORKSPACE if the workspace is not the organisation's.
 */
export async function loadPlace(
  store: Pick<EventStore, 'readStreams'>,
  of: { readonly organisationId: OrganisationId; readonly workspaceId: WorkspaceId },
  hashName: string,
): Promise<Place> {
  const { organisationId, workspaceId } = of;
  const names = [streams.workspace(workspaceId), streams.organisation(organisationId), hashName];
  const read = await store.readStreams(names);
  const [workspaceEvents = [], organisationEvents = [], hashEvents = []] = names.map((name) =>
    read.get(name),
  );
  checkWorkspace(workspaceEvents, organisationId);
  const organisation = fold(organisationEvents, unknownOrganisation, evolveOrganisation).state;
  if (organisation.status === 'unknown') throw new Error(`no organisation ${organisationId}`);
  if (organisation.status === 'erased') throw new OrganisationShut(organisationId);
  return { hash: fold(hashEvents, freeHash, evolveHash), organisation };
}
