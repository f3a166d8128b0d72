import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';

/** Stops a reader of the log from outside the service, as another process that has its lock would. */
export interface HeldEnqueuing {
  /** From when it resolves the reader stands still. */
  hold(): Promise<void>;
  /** Resolves when the reader has made good all that was in the log by then. */
  release(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Of the reader whose checkpoint has this name, on the embedded PostgreSQL of a DATA_DIR. */
export async function holdEnqueuing(dataDir: string, name: string): Promise<HeldEnqueuing> {
  const found = await findEmbeddedPostgres({ dataDir });
  if (found === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const [holder, other] = [found.url, found.url].map(
    (connectionString) => new pg.Client({ connectionString }),
  );
  if (!holder || !other) throw new Error('there are two');
  await Promise.all([holder.connect(), other.connect()]);
  const query = async (text: string) => (await other.query(text)).rows;
  const read = async (text: string) => Number((await query(text))[0]?.position);
  return {
    async hold() {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM checkpoints WHERE name = $1 FOR UPDATE', [name]);
    },
    async release() {
      await holder.query('ROLLBACK');
      const head = await read('SELECT position FROM log_head');
      const reached = `SELECT position FROM checkpoints WHERE name = '${name}'`;
      while ((await read(reached)) < head) await delay(50);
    },
    query,
    async close() {
      await Promise.all([holder.end(), other.end()]);
    },
  };
}
