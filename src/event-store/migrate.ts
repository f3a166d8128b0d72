import { promises as fs } from 'node:fs';
import path from 'node:path';
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { openDatabase } from './database.ts';

const migrationFolder = path.resolve(import.meta.dirname, '../../migrations');

/** Name of a migration that removes or changes things the previous release needs. */
const breaking = /^\d+-breaking-/;

/**
 * Migrates the database to the newest schema. Safe to call from several processes at once. Kysely's
 * migrator takes a lock; other processes wait and then find nothing to do. A schema with additions
 * of a newer release stays as it is and works. So operators can return to an earlier release, or
 * start it again beside newer ones. Throws if a migration fails, or if the name of a newer
 * migration contains `-breaking-`.
 */
export async function migrateToLatest(url: string): Promise<void> {
  const { pool, db, close } = openDatabase(url, { maxConnections: 2 });
  try {
    const own = new FileMigrationProvider({ fs, path, migrationFolder });
    // The migrator calls this under its lock.
    const provider = { getMigrations: async () => withNewer(await own.getMigrations(), pool) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw new Error('the database could not be migrated', { cause: error });
  } finally {
    await close();
  }
}

/**
 * Adds the migrations that a newer release ran. The migrator would otherwise reject them as
 * missing.
 */
async function withNewer(
  own: Record<string, Migration>,
  pool: pg.Pool,
): Promise<Record<string, Migration>> {
  const newestOwn = Object.keys(own).sort().at(-1) ?? '';
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration');
  const newer = rows.map(({ name }) => name).filter((name) => !(name in own) && name > newestOwn);
  const hindrance = newer.find((name) => breaking.test(name));
  if (hindrance !== undefined) {
    const cause = `a newer release has migrated the database (${hindrance})`;
    throw new Error(`${cause}, and this release cannot use it: start the newer release`);
  }
  const done = { up: () => Promise.reject(new Error('this migration is part of a newer release')) };
  return { ...own, ...Object.fromEntries(newer.map((name) => [name, done])) };
}
