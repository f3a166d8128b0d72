import type { HashEvent } from '../domain/hash/events.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** Name of the stream of a hash in a workspace. Refuses with `OrganisationShut`. */
export async function hashStream(
  store: Pick<EventStore, 'index'>,
  of: {
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
    readonly fileHash: Digest;
  },
): Promise<StreamName<HashEvent>> {
  const indexed = await store.index(of.organisationId, of.fileHash);
  if (indexed === null) throw new OrganisationShut(of.organisationId);
  return streams.hash(of.workspaceId, indexed);
}
