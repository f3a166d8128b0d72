import { promises as fs } from 'node:fs';
import path, { join } from 'node:path';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import type { Test } from 'tap';
import { openDatabase } from '../../src/event-store/database.ts';
import { startHere, temporaryDataDir } from '../embedded/run-service.ts';
import { projectRoot } from './run.ts';

/** The database of a kept DATA_DIR, with rows in the form of PostgreSQL's to_json. */
interface KeptDatabase {
  /** Newest migration that had run. */
  readonly migration: string;
  readonly tables: Readonly<Record<string, readonly object[]>>;
}

/**
 * Rebuilds a DATA_DIR that an earlier version wrote. Its files are copied, and its rows are loaded into the
 * schema of its own migrations. Read models are left out: a start builds them from the log.
 */
export async function restoreDataDir(t: Pick<Test, 'teardown'>, sample: string): Promise<string> {
  const dataDir = await temporaryDataDir(t);
  const postgres = await startHere(t, dataDir);
  const kept = JSON.parse(await fs.readFile(join(sample, 'database.json'), 'utf8')) as KeptDatabase;
  const { pool, db, close } = openDatabase(postgres.url, { maxConnections: 1 });
  try {
    const migrationFolder = join(projectRoot, 'migrations');
    const provider = new FileMigrationProvider({ fs, path, migrationFolder });
    const { error } = await new Migrator({ db, provider }).migrateTo(kept.migration);
    if (error) throw error;
    await pool.query('SET session_replication_role = replica');
    for (const [table, rows] of Object.entries(kept.tables)) {
      await pool.query(`DELETE FROM ${table}`);
      const { rows: columns } = await pool.query<{ list: string }>(
        `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped`,
        [table],
      );
      const list = columns[0]?.list ?? '';
      await pool.query(
        `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
         SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
  } finally {
    await close();
  }
  await postgres.stop();
  await fs.cp(join(sample, 'data'), dataDir, { recursive: true });
  return dataDir;
}
