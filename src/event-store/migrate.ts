import { promises as fs } from 'node:fs';
import path from 'node:path';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { openDatabase } from './database.ts';

const migrationFolder = path.resolve(import.meta.dirname, '../../migrations');

/**
 * Brings the database to the newest schema. Safe to call from several processes at once: Kysely's
 * migrator holds a lock, the others wait and then find nothing to do. Throws if a migration fails
 * or the database was migrated by a newer version of the program.
 */
export async function migrateToLatest(url: string): Promise<void> {
  const database = openDatabase(url, { maxConnections: 1 });
  try {
    const provider = new FileMigrationProvider({ fs, path, migrationFolder });
    const { error } = await new Migrator({ db: database.db, provider }).migrateToLatest();
    if (error) throw new Error('the database could not be migrated', { cause: error });
  } finally {
    await database.close();
  }
}
