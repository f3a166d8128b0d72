import { randomBytes } from 'node:crypto';
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

/** An embedded PostgreSQL with the schema, in a folder that is deleted after the benchmark. */
export async function startPostgres(cleanUp: CleanUp) {
  const dataDir = await createBenchFolder(cleanUp);
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  return { dataDir, postgres };
}
