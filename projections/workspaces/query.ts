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
  return workspacesOf(db, organisationId)
    .orderBy('position')
    .select(['workspace_id as _id', 'name'])
    .execute();
}

/** As `queryWorkspaces`, one page of them, which counts from 1, and the number of all. */
export async function queryWorkspacePage(
  db: ReadModels,
  organisationId: OrganisationId,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly items: readonly WorkspaceRecord[]; readonly total: number }> {
  const items = await workspacesOf(db, organisationId)
    .orderBy('position')
    .select(['workspace_id as _id', 'name'])
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { items, total: await countWorkspaces(db, organisationId) };
}

/** Number of the organisation's workspaces. */
export async function countWorkspaces(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<number> {
  const { total } = await workspacesOf(db, organisationId)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function workspacesOf(db: ReadModels, organisationId: OrganisationId) {
  return db
    .$extendTables<WorkspacesTables>()
    .selectFrom('workspaces')
    .where('organisation_id', '=', organisationId);
}
