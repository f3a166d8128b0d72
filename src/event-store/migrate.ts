import { promises as fs } from 'node:fs';
import path from 'node:path';
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { openDatabase } from './database.ts';

const migrationFolder = path.resolve(import.meta.dirname, '../../migrations');

/** Of a migration that takes away or changes what the release before needs. */
const breaking = /^\d+-breaking-/;

/**
 * Brings the database to the newest schema. Safe to call from several processes at once: Kysely's
 * migrator holds a lock, the others wait and then find nothing to do. A schema that a newer release
 * has added to is left as it is, and serves: a release may be gone back to, and a process of it may
 * be started again beside newer ones. Throws if a migration fails, and where a newer release says by
 * the name of a migration that this one cannot go on.
 */
export async function migrateToLatest(url: string): Promise<void> {
  const { pool, db, close } = openDatabase(url, { maxConnections: 2 });
  try {
    const own = new FileMigrationProvider({ fs, path, migrationFolder });
    // Asked under the migrator's lock.
    const provider = { getMigrations: async () => withNewer(await own.getMigrations(), pool) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw new Error('the database could not be migrated', { cause: error });
  } finally {
    await close();
  }
}

/** The migrator takes those that were run and that it does not know for a fault. */
async function withNewer(
  own: Record<string, Migration>,
  pool: pg.Pool,
): Promise<Record<string, Migration>> {
  const newestOwn = Object.keys(own).sort().at(-1) ?? '';
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration');
  const newer = rows.map(({ name }) => name).filter((name) => !(name in own) && name > newestOwn);
  const hindrance = newer.find((name) => breaking.test(name));
  if (hindrance !== undefined) {
    const told = `a newer release has migrated the database (${hindrance})`;
    throw new Error(`${told}, and this one cannot work with it: start that release`);
  }
  const done = { up: () => Promise.reject(new Error('it was run by a newer release')) };
  return { ...own, ...Object.fromEntries(newer.map((name) => [name, done])) };
}
