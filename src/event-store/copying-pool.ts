import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { copyRows } from './copy-query.ts';

/**
 * The same pool for Kysely, with statements that copy rows (`copyRows`). The caller, who made the
 * pool, ends it.
 */
export function copyingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const copying = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: string, values: readonly unknown[]) =>
      copyRows(client, text, values) ?? client.query(text, [...values]);
    const release = (destroy?: boolean) => client.release(destroy);
    // Kysely calls nothing else of a client without cursors.
    return { query, release } as unknown as PostgresPoolClient;
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? copying(client);
      clients.set(client, known);
      return known;
    },
    end: async () => {},
  };
}
