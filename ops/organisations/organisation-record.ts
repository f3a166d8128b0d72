import {
  findOrganisation,
  listOrganisations,
  type OrganisationRecord,
} from '../../projections/access/query.ts';
import {
  findStoredFiles,
  listStoredFiles,
  noStoredFiles,
  type StoredFiles,
} from '../../projections/storage/query.ts';
import type { StorageAllowance } from '../../src/domain/storage/storage-allowance.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { loadOrganisation } from '../../src/loading/load-organisation.ts';
import type { OperatorSession } from '../session/operator-session.ts';

/** An organisation with its stored files. */
export type ShownOrganisation = OrganisationRecord & {
  readonly storageAllowance: StorageAllowance;
  readonly storedFiles: number;
  readonly storedBytes: number;
};

type ReadingSession = Pick<OperatorSession, 'db' | 'settle'>;

/** All organisations as of the head of the log, oldest first. */
export async function readOrganisations({
  db,
  settle,
}: ReadingSession): Promise<readonly ShownOrganisation[]> {
  await settle();
  const stored = await listStoredFiles(db);
  return (await listOrganisations(db)).map((organisation) =>
    withStorage(organisation, stored.get(organisation.organisationId) ?? noStoredFiles),
  );
}

/** One organisation as of the head of the log. Refuses an unknown one. */
export async function readOrganisation(
  { db, store, settle }: ReadingSession & Pick<OperatorSession, 'store'>,
  organisationId: OrganisationId,
): Promise<ShownOrganisation> {
  await settle();
  // Refuses an unknown organisation.
  await loadOrganisation(store, organisationId);
  const organisation = await findOrganisation(db, organisationId);
  if (organisation === null)
    throw new OperatorError(
      `organisation ${organisationId} is not in the read model yet: try again shortly`,
    );
  return withStorage(organisation, await findStoredFiles(db, organisationId));
}

function withStorage(
  organisation: OrganisationRecord,
  { files, bytes, allowance }: StoredFiles,
): ShownOrganisation {
  const stored = { storageAllowance: allowance, storedFiles: files, storedBytes: bytes };
  return { ...organisation, ...stored };
}
