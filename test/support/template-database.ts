import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
// The one place where the tests say how a database gets its tables.
import { migrateToLatest } from '../../src/event-store/migrate.ts';

/** Any number; nothing else in the tests' PostgreSQL takes advisory locks on this database. */
const lockId = 4_711;

/**
 * The name of the database that the migrations were run into, made by the first test file that
 * asks. Named after the migrations' content, so that a PostgreSQL shared by several runs is right
 * for each of them.
 */
export async function provideTemplate(
  admin: pg.Client,
  urlOf: (database: string) => string,
): Promise<string> {
  const name = `template_${await digestOfMigrations()}`;
  await admin.query('SELECT pg_advisory_lock($1)', [lockId]);
  try {
    const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount !== 0) return name;
    const unfinished = `${name}_new`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`);
    await migrateToLatest(urlOf(unfinished));
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [lockId]);
  }
}

async function digestOfMigrations(): Promise<string> {
  const folder = resolve(import.meta.dirname, '../../migrations');
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    hash.update(`${name}\n`).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
