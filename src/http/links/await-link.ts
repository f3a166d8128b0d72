import type { OrganisationId } from '../../domain/ulid.ts';
import {
  awaitPosition,
  ProjectionBehind,
  type ReadDeps,
} from '../../subscriptions/await-position.ts';

/**
 * Waits until the new link of an organisation can be opened. A projection that is behind is no error:
 * the link exists, it opens as soon as the projection has caught up, and its address is shown only once.
 */
export async function awaitLink(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
): Promise<void> {
  try {
    await awaitPosition(db, 'links', await store.lastPositionOf(organisationId), { signal });
  } catch (error) {
    if (!(error instanceof ProjectionBehind)) throw error;
  }
}
