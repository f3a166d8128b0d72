import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { projectRoot } from './run.ts';
import { joinSharedPostgres } from './shared-postgres.ts';

/** The database role that `ops/deploy/privileges.sql` creates. */
export interface ServiceRole {
  /** Grants the role its rights on a migrated database; resolves with the role's URL of it. */
  grant(databaseUrl: string): Promise<string>;
}

/**
 * Call it before creating the database: teardown in reverse order must drop the database before the role.
 */
export async function createServiceRole(t: Pick<Test, 'teardown'>): Promise<ServiceRole> {
  const role = `test_service_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  const asAdmin = async (url: string, ...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  t.teardown(async () => asAdmin(await joinSharedPostgres(), `DROP ROLE IF EXISTS ${role}`));
  return {
    async grant(databaseUrl) {
      const privileges = readFileSync(join(projectRoot, 'ops/deploy/privileges.sql'), 'utf8');
      await asAdmin(
        databaseUrl,
        `SET proofmark.role = '${role}'`,
        privileges,
        `ALTER ROLE ${role} PASSWORD '${password}'`,
      );
      return Object.assign(new URL(databaseUrl), { username: role, password }).href;
    },
  };
}
