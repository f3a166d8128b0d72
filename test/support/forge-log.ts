import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { projections } from '../../projections/registry.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import { createLeaves } from '../../src/event-store/leaves.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { tableName } from '../../src/subscriptions/projection.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { openTestStore } from './event-store.ts';

/** A stopped service on a database of its own, and its secrets. */
interface StoppedService {
  readonly env: Readonly<Record<string, string>>;
}

interface Forgery {
  /** The events after this position are removed. */
  readonly cutAfter: number;
  /** Changes rows of the others; leaves are computed anew by `rewriteRow`. */
  readonly change?: (client: pg.ClientBase) => Promise<void>;
  /** Appends events. */
  readonly grow?: (store: EventStore) => Promise<void>;
}

/**
 * Forges the log of a stopped service as an insider with all keys can: cuts and changes it, removes everything
 * published with all marks, signs and publishes anew, and rebuilds the read models.
 */
export async function forgeLog(
  { env }: StoppedService,
  { cutAfter, change, grow }: Forgery,
): Promise<void> {
  const { DATABASE_URL = '', DATA_DIR = '', MASTER_KEY = '', LOG_KEY = '' } = env;
  const files = join(DATA_DIR, 'files');
  await rm(join(files, 'log'), { recursive: true });
  await changeRows(DATABASE_URL, cutAfter, change);
  const masterKey = Buffer.from(MASTER_KEY, 'base64');
  const opened = openTestStore({ teardown: () => {} }, DATABASE_URL, { masterKey });
  const { store, db, pool } = opened;
  const published = await openLogStorage(pathToFileURL(files).href);
  try {
    await grow?.(store);
    const seeds = [Buffer.from(LOG_KEY, 'base64')];
    const leaves = createLeaves(pool);
    await new Publisher({ store, leaves, history: db, published, seeds }).publish();
    await catchUp({ db, store, projections, position: await store.head() });
  } finally {
    await published.close();
    await opened.close();
  }
}

async function changeRows(
  url: string,
  cutAfter: number,
  change: Forgery['change'] = async () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query('DELETE FROM events WHERE position > $1', [cutAfter]);
    await client.query('UPDATE log_head SET position = $1', [cutAfter]);
    await client.query('TRUNCATE published_checkpoints, checkpoint_cosignatures');
    await change(client);
    const { rows } = await client.query<{ name: string; build: number }>(
      "SELECT name, build FROM checkpoints WHERE status = 'live'",
    );
    for (const { name, tables } of projections) {
      const live = rows.find((row) => row.name === name);
      const named = tables.map(tableName(live?.build ?? 1));
      await client.query(`TRUNCATE ${named.map((one) => client.escapeIdentifier(one)).join()}`);
      await client.query('UPDATE checkpoints SET position = 0 WHERE name = $1', [name]);
    }
    // Without a saved state, a reader begins at the start of the log.
    await client.query('DELETE FROM checkpoints WHERE state IS NOT NULL');
    await client.query('UPDATE checkpoints SET position = least(position, $1)', [cutAfter]);
  } finally {
    await client.end();
  }
}

/** Changes data and time of a row, and its leaf. */
export async function rewriteRow(
  client: pg.ClientBase,
  position: number,
  change: (row: EventRow) => Partial<EventRow>,
): Promise<void> {
  const { rows } = await client.query<EventRow>('SELECT * FROM events WHERE position = $1', [
    position,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no event ${position}`);
  const changed = { ...row, ...change(row) };
  const { data, recorded_at: recordedAt } = changed;
  await client.query(
    'UPDATE events SET data = $2, recorded_at = $3, leaf = $4 WHERE position = $1',
    [position, data, recordedAt, leafHash(leafInputOf(changed))],
  );
}
