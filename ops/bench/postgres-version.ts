import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { connectionTo } from '../../src/event-store/connection-to.ts';

/** Of the PostgreSQL that runs on this DATA_DIR. */
export async function postgresVersion(dataDir: string): Promise<string> {
  const found = await findEmbeddedPostgres({ dataDir });
  if (found === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const client = new pg.Client(connectionTo(found.url));
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version ?? 'unknown';
  } finally {
    await client.end();
  }
}
