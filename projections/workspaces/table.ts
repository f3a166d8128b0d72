import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/** `position` is the log position of the event that created it. */
export type WorkspacesTables = {
  workspaces: {
    organisation_id: string;
    position: number;
    workspace_id: string;
    name: string;
  };
};

export const workspacesTables: readonly (keyof WorkspacesTables)[] = ['workspaces'];

export async function createWorkspacesTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('workspaces'))} (
      organisation_id text NOT NULL,
      position bigint NOT NULL,
      workspace_id text NOT NULL,
      name text NOT NULL,
      PRIMARY KEY (organisation_id, position)
    )`.execute(trx);
}
