import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { createBenchFolder } from './bench-folder.ts';
import type { CleanUp } from './clean-up.ts';

/** An embedded PostgreSQL with the schema, in a folder that goes with the benchmark. */
export async function openBenchPostgres(cleanUp: CleanUp) {
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  return { dataDir, postgres };
}
