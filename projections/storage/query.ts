import type { StorageAllowance } from '../../src/domain/storage/storage-allowance.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { StorageTables } from './table.ts';

/** Stored files of an organisation, and its allowance. */
export interface StoredFiles {
  readonly files: number;
  readonly bytes: number;
  readonly allowance: StorageAllowance;
}

/** Stored files of an organisation without any. */
export const noStoredFiles: StoredFiles = { files: 0, bytes: 0, allowance: 'default' };

/** Stored files of each organisation; absent without files and without an allowance of its own. */
export async function listStoredFiles(
  db: ReadModels,
): Promise<ReadonlyMap<OrganisationId, StoredFiles>> {
  const rows = await db
    .$extendTables<StorageTables>()
    .selectFrom('stored_files')
    .selectAll()
    .execute();
  return new Map(
    rows.map((row) => [row.organisation_id as OrganisationId, toStoredFiles(row)] as const),
  );
}

/** Stored files of one organisation. */
export async function findStoredFiles(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<StoredFiles> {
  const row = await db
    .$extendTables<StorageTables>()
    .selectFrom('stored_files')
    .where('organisation_id', '=', organisationId)
    .selectAll()
    .executeTakeFirst();
  return row === undefined ? noStoredFiles : toStoredFiles(row);
}

function toStoredFiles(row: StorageTables['stored_files']): StoredFiles {
  const { files, bytes, allowance_bytes: limit, unlimited } = row;
  return { files, bytes, allowance: limit ?? (unlimited ? 'unlimited' : 'default') };
}
