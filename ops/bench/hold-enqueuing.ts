import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { connectionTo } from '../../src/event-store/connection-to.ts';

/** Stops a reader of the log from outside the service: its checkpoint goes by another name meanwhile. */
export interface HeldEnqueuing {
  /** From when it resolves the reader stands still. */
  hold(): Promise<void>;
  /** Resolves when the reader has made good all that was in the log by then. */
  release(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/**
 * Of the reader whose checkpoint has this name, on the embedded PostgreSQL of a DATA_DIR. A lock would
 * do too, but the transaction that holds it keeps every dead version of the log's head alive, and so
 * makes all that is measured dearer.
 */
export async function holdEnqueuing(dataDir: string, name: string): Promise<HeldEnqueuing> {
  const found = await findEmbeddedPostgres({ dataDir });
  if (found === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const client = new pg.Client(connectionTo(found.url));
  await client.connect();
  const query = async (text: string) => (await client.query(text)).rows;
  const read = async (text: string) => Number((await query(text))[0]?.position);
  const rename = (from: string, to: string) =>
    client.query('UPDATE checkpoints SET name = $2 WHERE name = $1', [from, to]);
  const held = `${name} (held)`;
  return {
    async hold() {
      await rename(name, held);
    },
    async release() {
      await rename(held, name);
      const head = await read('SELECT position FROM log_head');
      const reached = `SELECT position FROM checkpoints WHERE name = '${name}'`;
      while ((await read(reached)) < head) await delay(50);
    },
    query,
    close: () => client.end(),
  };
}
