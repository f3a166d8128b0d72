import { mayHaveFileOf } from '../../../projections/documents/query.ts';
import { storage } from '../../../projections/storage/project.ts';
import { findStoredFiles } from '../../../projections/storage/query.ts';
import type { MayHaveFile, StoredBytes } from '../../loading/storage-use.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import { awaitDocuments } from './find-document.ts';

/** Adds up stored bytes in the read model, once it includes the position. */
export function createStoredBytes({ db, signal }: Pick<ReadDeps, 'db' | 'signal'>): StoredBytes {
  return async (organisationId, position) => {
    await awaitPosition(db, storage.name, position, { signal });
    return (await findStoredFiles(db, organisationId)).bytes;
  };
}

/** Looks for sizes in the read model, once it includes the organisation's latest change. */
export function createFileLookUp(deps: ReadDeps): MayHaveFile {
  return async (organisationId, size) => {
    await awaitDocuments(deps, organisationId);
    return mayHaveFileOf(deps.db, organisationId, size);
  };
}
