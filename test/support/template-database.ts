import type pg from 'pg';
import { projections } from '../../projections/registry.ts';
import { openDatabase } from '../../src/event-store/database.ts';
// The only place in the tests that creates the tables of a database.
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { digestOfFolders } from './digest-of-folders.ts';

/** Tables of a template: those of the migrations, or those of all projections as well. */
export type TemplateKind = 'migrated' | 'projected';

/** Any number: nothing else in the tests' PostgreSQL takes advisory locks on this database. */
const lockId = 4_711;

/**
 * Name of the database to copy; the first test file that asks creates it. Its name depends on its sources,
 * so runs that share a PostgreSQL each get the right one.
 */
export async function provideTemplate(
  admin: pg.ClientBase,
  urlOf: (database: string) => string,
  kind: TemplateKind,
): Promise<string> {
  await admin.query('SELECT pg_advisory_lock($1)', [lockId]);
  try {
    const migrated = await provide(admin, 'template0', ['migrations'], async (database) =>
      migrateToLatest(urlOf(database)),
    );
    if (kind === 'migrated') return migrated;
    return await provide(admin, migrated, ['migrations', 'projections'], async (database) =>
      prepareAll(urlOf(database)),
    );
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [lockId]);
  }
}

async function provide(
  admin: pg.ClientBase,
  source: string,
  folders: readonly string[],
  make: (database: string) => Promise<void>,
): Promise<string> {
  const name = `template_${folders.length}_${await digestOfFolders(folders)}`;
  const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount !== 0) return name;
  const unfinished = `${name}_new`;
  await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE ${source}`);
  await make(unfinished);
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  return name;
}

async function prepareAll(url: string): Promise<void> {
  const { db, close } = openDatabase(url, { maxConnections: 1 });
  for (const projection of projections) await prepareProjection(db, projection);
  await close();
}
