import { storage } from '../../../projections/storage/project.ts';
import { findStoredFiles } from '../../../projections/storage/query.ts';
import type { StoredBytes } from '../../loading/storage-use.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';

/** Adds up stored bytes in the read model, once it includes the position. */
export function createStoredBytes({ db, signal }: Pick<ReadDeps, 'db' | 'signal'>): StoredBytes {
  return async (organisationId, position) => {
    await awaitPosition(db, storage.name, position, { signal });
    return (await findStoredFiles(db, organisationId)).bytes;
  };
}
