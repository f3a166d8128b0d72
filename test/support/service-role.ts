import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { projectRoot } from './run.ts';
import { joinSharedPostgres } from './shared-postgres.ts';

/** The role that `ops/deploy/privileges.sql` makes. */
export interface ServiceRole {
  /** The URL of the database with this role; migrated it must be already. */
  grant(databaseUrl: string): Promise<string>;
}

/** To be called before the database is created, which is dropped before the role is. */
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
