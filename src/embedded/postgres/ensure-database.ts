import pg from 'pg';
import { databaseName } from './connection-file.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Creates our database if it is missing. `url` is that of another database on the same server. */
export async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'START_FAILED',
      `PostgreSQL runs, but its database cannot be used: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
