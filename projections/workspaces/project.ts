import type { WorkspaceEvent } from '../../src/domain/workspace/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createWorkspacesTables, type WorkspacesTables, workspacesTables } from './table.ts';

/** Workspaces of each organisation. */
export const workspaces: ErasableProjection = erasable({
  name: 'workspaces',
  version: 2,
  types: ['WorkspaceCreated', 'WorkspaceRenamed'] satisfies WorkspaceEvent['type'][],
  tables: workspacesTables,
  create: createWorkspacesTables,
  async project(trx, events, named) {
    // Skip workspaces of an erased organisation: their names can be neither read nor requested.
    const readable = (events as readonly StoredEvent<WorkspaceEvent>[]).filter((e) => !e.erased);
    const tables = trx.$extendTables<WorkspacesTables>();
    for (const event of readable) {
      if (event.type === 'WorkspaceRenamed') {
        await tables
          .updateTable(named('workspaces'))
          .set({ name: event.data.name })
          .where('organisation_id', '=', event.organisationId ?? '')
          .where('workspace_id', '=', event.data.workspaceId)
          .execute();
        continue;
      }
      const { organisationId, workspaceId, name } = event.data;
      const row = { organisation_id: organisationId, position: event.position };
      await tables
        .insertInto(named('workspaces'))
        .values({ ...row, workspace_id: workspaceId, name })
        .execute();
    }
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<WorkspacesTables>()
      .deleteFrom(named('workspaces'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
