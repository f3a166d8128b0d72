import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';

/** Of the PostgreSQL that runs on this DATA_DIR. */
export async function postgresVersion(dataDir: string): Promise<string> {
  const found = await findEmbeddedPostgres({ dataDir });
  const client = new pg.Client({ connectionString: found?.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version ?? 'unknown';
  } finally {
    await client.end();
  }
}
