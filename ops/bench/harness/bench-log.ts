import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLog } from '../../../src/commands/open-log.ts';
import { startEmbeddedPostgres } from '../../../src/embedded/postgres/start-embedded-postgres.ts';
import { migrateToLatest } from '../../../src/event-store/migrate.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { type CleanUp, createBenchFolder } from './clean-up.ts';
import { openStore } from './open-store.ts';

/** An opened log in its own embedded PostgreSQL, with its store and read models. */
export async function openBenchLog(cleanUp: CleanUp, { maxConnections = 4 } = {}) {
  const { dataDir, postgres } = await startPostgres(cleanUp);
  const masterKey = randomBytes(32);
  const opened = openStore(postgres.url, { masterKey, maxConnections });
  cleanUp.defer(opened.close);
  await openLog({ store: opened.store, newId: newUlid }, { actor: 'start' });
  return { ...opened, dataDir, postgres, masterKey };
}

/**
 * An embedded PostgreSQL with a log that stays in a folder, so that a long log is made once. The
 * folder is made if it is missing, and never deleted.
 */
export async function openKeptLog(cleanUp: CleanUp, folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  const masterKey = await keptSeed(join(folder, 'master-key'));
  const logSeed = await keptSeed(join(folder, 'log-seed'));
  const opened = openStore(postgres.url, { masterKey, maxConnections: 4 });
  cleanUp.defer(opened.close);
  if ((await opened.store.head()) === 0) {
    await openLog({ store: opened.store, newId: newUlid }, { actor: 'start' });
  }
  return { ...opened, dataDir, postgres, masterKey, logSeed };
}

/** 32 random bytes that stay the same. */
async function keptSeed(file: string): Promise<Buffer> {
  await writeFile(file, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(file);
}

/** An embedded PostgreSQL with the schema, in a folder that is deleted after the benchmark. */
export async function startPostgres(cleanUp: CleanUp) {
  const dataDir = await createBenchFolder(cleanUp);
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  return { dataDir, postgres };
}
