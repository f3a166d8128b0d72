import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { copyRows } from './copy-query.ts';

const maxStatements = 200;

/** Several rows or values in a list, as Kysely writes them: each number of them is another text. */
const longList = /\), \(\$\d| in \(\$\d+, /;

/**
 * The same pool for Kysely, with statements that PostgreSQL parses and plans once for each
 * connection. For parts of the program that repeat few statements, whose best plan does not depend
 * on their values. A connection that has prepared `most` statements prepares no others, and is
 * replaced when it is released: some of its statements may be of tables that are gone. Statements
 * with long lists are not prepared. The caller, who made the pool, ends it.
 */
export function preparingPool(pool: pg.Pool, most = maxStatements): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const preparing = (client: pg.PoolClient): PostgresPoolClient => {
    const names = new Map<string, string>();
    const nameOf = (text: string): string | undefined => {
      const known = names.get(text);
      if (known !== undefined || names.size >= most || longList.test(text)) return known;
      const name = `prepared-${names.size + 1}`;
      names.set(text, name);
      return name;
    };
    const query = (text: string, values: readonly unknown[]) => {
      const copied = copyRows(client, text, values);
      if (copied !== null) return copied;
      const name = values.length > 0 ? nameOf(text) : undefined;
      return client.query({ ...(name !== undefined && { name }), text, values: [...values] });
    };
    // Kysely calls nothing else of a client without cursors.
    const release = (destroy?: boolean) => client.release(destroy || names.size >= most);
    return { query, release } as unknown as PostgresPoolClient;
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? preparing(client);
      clients.set(client, known);
      return known;
    },
    end: async () => {},
  };
}
