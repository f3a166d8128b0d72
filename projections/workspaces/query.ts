import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { WorkspacesTables } from './table.ts';

/** A workspace as the API shows it. */
interface WorkspaceRecord {
  readonly _id: string;
  readonly name: string;
}

/** The organisation's workspaces in the order of creation. */
export async function queryWorkspaces(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<WorkspaceRecord[]> {
  return db
    .$extendTables<WorkspacesTables>()
    .selectFrom('workspaces')
    .where('organisation_id', '=', organisationId)
    .orderBy('position')
    .select(['workspace_id as _id', 'name'])
    .execute();
}
