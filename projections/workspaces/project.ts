import type { WorkspaceEvent } from '../../src/domain/workspace/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createWorkspacesTables, type WorkspacesTables, workspacesTables } from './table.ts';

/** Workspaces of each organisation. */
export const workspaces: ErasableProjection = erasable({
  name: 'workspaces',
  version: 1,
  types: ['WorkspaceCreated'] satisfies WorkspaceEvent['type'][],
  tables: workspacesTables,
  create: createWorkspacesTables,
  async project(trx, events, named) {
    // Skip workspaces of an erased organisation: their names can be neither read nor requested.
    const created = (events as readonly StoredEvent<WorkspaceEvent>[]).filter((e) => !e.erased);
    if (created.length === 0) return;
    const rows = created.map(({ position, data }) => ({
      organisation_id: data.organisationId,
      position,
      workspace_id: data.workspaceId,
      name: data.name,
    }));
    const tables = trx.$extendTables<WorkspacesTables>();
    await tables.insertInto(named('workspaces')).values(rows).execute();
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<WorkspacesTables>()
      .deleteFrom(named('workspaces'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
