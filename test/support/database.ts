import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { joinSharedPostgres } from './shared-postgres.ts';
import { provideTemplate, type TemplateKind } from './template-database.ts';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
}

export interface TestDatabaseOptions {
  /**
   * Creates the tables in place of the project's migrations, which cost no time: databases are copied from
   * a migrated template. `false` gives an empty database.
   */
  readonly migrate?: ((url: string) => Promise<void>) | false;
  /** Initial tables, unless `migrate` is given; default `migrated`. */
  readonly kind?: TemplateKind;
  /** Database to copy instead of a template; nobody may be connected to it. */
  readonly template?: string;
}

/**
 * Creates a database in the PostgreSQL that all tests share, and drops it when `t` is over. Call it before
 * opening connections: tap tears down in reverse order, and connections still open at the drop fail the
 * test.
 */
export async function createTestDatabase(
  t: Pick<Test, 'teardown'>,
  { migrate, kind = 'migrated', template }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const adminUrl = await joinSharedPostgres();
  const urlOf = (database: string) => Object.assign(new URL(adminUrl), { pathname: database }).href;
  const name = newName();
  // Copies files without fsync, three times as fast as PostgreSQL's default (33 ms instead of 97 ms).
  await asAdmin(adminUrl, async (admin) => {
    const provided = () => provideTemplate(admin, urlOf, kind);
    const source = template ?? (migrate === undefined ? await provided() : 'template0');
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  });
  t.teardown(() => asAdmin(adminUrl, (admin) => drop(admin, name)));
  const url = urlOf(name);
  if (migrate) await migrate(url);
  return { url, name };
}

/** Contains the name of the test file, for pg_stat_activity and PostgreSQL's log. */
function newName(): string {
  const file = basename(process.argv[1] ?? '', '.test.ts').replaceAll(/[^a-z0-9]+/g, '_');
  return `test_${file.slice(0, 40)}_${randomBytes(4).toString('hex')}`;
}

async function drop(admin: pg.Client, name: string): Promise<void> {
  const open = await openConnections(admin, name);
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  if (open.length > 0) {
    throw new Error(`${open.length} connections were left open, last: ${open.join('; ')}`);
  }
}

/** Last statements of the open connections, after waiting for closed ones to disappear. */
async function openConnections(admin: pg.Client, name: string): Promise<string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await admin.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || attempt === 200) return rows.map(({ query }) => query);
    await sleep(50);
  }
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
