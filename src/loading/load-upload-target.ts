import { hashDecider } from '../domain/hash/decider.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { HashState } from '../domain/hash/state.ts';
import { organisationDecider } from '../domain/organisation/decider.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold, type Loaded } from '../event-store/handling/load.ts';
import { checkWorkspace } from './require-workspace.ts';

/** Hash and organisation: the states for decisions on an upload to a workspace. */
interface UploadTarget {
  readonly hash: Loaded<HashState>;
  readonly organisation: Organisation;
}

/**
 * Reads the hash together with its workspace and the organisation, in one query. Refuses with
 * INVALID_WORKSPACE if the workspace is not the organisation's.
 */
export async function loadUploadTarget(
  store: Pick<EventStore, 'readStreams'>,
  of: { readonly organisationId: OrganisationId; readonly workspaceId: WorkspaceId },
  hashName: StreamName<HashEvent>,
): Promise<UploadTarget> {
  const { organisationId, workspaceId } = of;
  const workspaceStream = streams.workspace(workspaceId);
  const organisationStream = streams.organisation(organisationId);
  const read = await store.readStreams([workspaceStream, organisationStream, hashName]);
  checkWorkspace(read.get(workspaceStream), organisationId);
  const organisation = fold(read.get(organisationStream), organisationDecider).state;
  if (organisation.status === 'unknown') throw new Error(`no organisation ${organisationId}`);
  if (organisation.status === 'erased') throw new OrganisationShut(organisationId);
  return { hash: fold(read.get(hashName), hashDecider), organisation };
}
