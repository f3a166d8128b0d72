import type pg from 'pg';
import { countDueSuccessors } from './due-successors.ts';
import { type LogCoverage, readAnchoredCoverage, readPublishedCoverage } from './log-coverage.ts';
import { readWebhookBacklog, type WebhookBacklog } from './webhook-backlog.ts';

export interface DatabaseFigures {
  readonly positions: readonly ReaderPosition[];
  readonly webhooks: WebhookBacklog;
  readonly dueSuccessors: number;
  readonly storage: StorageUse;
  readonly published: LogCoverage | null;
  readonly anchored: LogCoverage | null;
}

/** Position of the live version of a reader of the log. */
export interface ReaderPosition {
  readonly name: string;
  readonly position: number;
  readonly head: number;
  /** Time since the first unread event was recorded; 0 if there is none. */
  readonly lagSeconds: number;
}

/** Stored files of all organisations. */
interface StorageUse {
  readonly bytes: number;
  /** Organisations whose files have at least 90 % of their storage allowance. */
  readonly nearlyFull: number;
}

/** Reads all figures on one connection. The database cancels queries that take too long. */
export async function findFigures(
  pool: pg.Pool,
  {
    readers,
    storageAllowance,
    hasTokens,
    waitMs,
  }: {
    readonly readers: readonly string[];
    readonly storageAllowance: number | null;
    readonly hasTokens: boolean;
    /** Longest time of a query. */
    readonly waitMs: number;
  },
): Promise<DatabaseFigures> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${waitMs}`);
    const positions = await readPositions(client, readers);
    const webhooks = await readWebhookBacklog(client);
    const dueSuccessors = await countDueSuccessors(client, hasTokens);
    const storage = await readStorageUse(client, storageAllowance);
    const published = await readPublishedCoverage(client);
    const anchored = await readAnchoredCoverage(client);
    await client.query('COMMIT');
    return { positions, webhooks, dueSuccessors, storage, published, anchored };
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Reads the checkpoints with these names, and for each of them one event of the log, by its key.
 */
async function readPositions(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<readonly ReaderPosition[]> {
  const { rows } = await client.query<{
    name: string;
    position: string | number;
    head: string | number;
    next_at: string | null;
  }>(
    `SELECT c.name, c.position, h.position AS head, e.recorded_at AS next_at
     FROM checkpoints c CROSS JOIN log_head h LEFT JOIN events e ON e.position = c.position + 1
     WHERE c.status = 'live' AND c.name = ANY($1) ORDER BY c.name`,
    [names],
  );
  const now = Date.now();
  return rows.map(({ name, position, head, next_at: nextAt }) => ({
    name,
    position: Number(position),
    head: Number(head),
    lagSeconds: nextAt === null ? 0 : Math.max(0, (now - Date.parse(nextAt)) / 1_000),
  }));
}

/** Reads the storage that organisations use. `defaultBytes` is the allowance of the configuration. */
async function readStorageUse(
  client: pg.ClientBase,
  defaultBytes: number | null,
): Promise<StorageUse> {
  // The read model does not exist before the first start.
  const view = await client.query<{ name: string | null }>(
    `SELECT to_regclass('stored_files')::text AS name`,
  );
  if ((view.rows[0]?.name ?? null) === null) return { bytes: 0, nearlyFull: 0 };
  const { rows } = await client.query<{ bytes: string | number; full: string | number }>(
    `SELECT coalesce(sum(bytes), 0)::bigint AS bytes,
       count(*) FILTER (WHERE NOT unlimited AND
         bytes >= 0.9 * coalesce(allowance_bytes, $1::bigint)) AS full
     FROM stored_files`,
    [defaultBytes],
  );
  const [row] = rows;
  return { bytes: Number(row?.bytes ?? 0), nearlyFull: Number(row?.full ?? 0) };
}
