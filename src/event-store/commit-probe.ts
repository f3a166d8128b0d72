import type pg from 'pg';
import { isConnectionLoss } from './connection-loss.ts';

/**
 * Commits a transaction as synchronously as any append. It writes some bytes of WAL and no row. What
 * was visible to the session before is replicated as `synchronous_standby_names` demands when it
 * resolves. Resolves with the reason if the server takes no writes.
 */
export async function commitNothing(
  database: Pick<pg.ClientBase, 'query'>,
): Promise<'standby' | 'readOnly' | null> {
  const { rows } = await database.query<{ standby: boolean; read_only: string }>(
    `WITH server AS (
       SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only
     )
     SELECT standby, read_only,
       CASE WHEN NOT standby AND read_only = 'off'
         THEN pg_logical_emit_message(true, 'proofmark', '')::text END AS written
     FROM server`,
  );
  const [row] = rows;
  if (row?.standby) return 'standby';
  return row?.read_only === 'off' ? null : 'readOnly';
}

/** True while a session of this database waits for a synchronous standby to confirm its commit. */
export async function waitsForStandby(
  database: Pick<pg.ClientBase, 'query'>,
  withinMs: number,
): Promise<boolean> {
  // `query_timeout` is known to pg, but not to its types.
  const query = {
    ...{ query_timeout: withinMs },
    text: `SELECT count(*) > 0 AS waits FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'SyncRep'`,
  };
  return (await database.query<{ waits: boolean }>(query)).rows[0]?.waits ?? false;
}

/** Texts for `GET /readyz` and the log. */
const texts = {
  standby: 'the server is a standby, which takes no writes',
  readOnly: 'the server is read-only',
  silent: 'commits are not confirmed',
  awaitsStandby: 'commits wait for a synchronous standby, which does not confirm them',
  noSpace: 'the server has no disk space left',
  away: 'not available',
  failed: 'commits fail',
} as const;

/** Resolves with null if the database commits, and otherwise with the reason, in words. */
export type CommitProbe = () => Promise<string | null>;

/**
 * Probes the database on request: once at a time, once in `keptMs`. An answer takes `waitMs` and a
 * diagnosis at most. A probe without an answer stays under way, so that a database that confirms
 * nothing has one session with it and no more.
 */
export function createCommitProbe(
  pool: Pick<pg.Pool, 'query'>,
  { keptMs = 2_000, waitMs = 1_500 }: { readonly keptMs?: number; readonly waitMs?: number } = {},
): CommitProbe {
  let known: string | null = null;
  let knownAt = -Infinity;
  let probing: Promise<void> | null = null;
  const probe = async () => {
    known = await commitNothing(pool).then((hindrance) => hindrance && texts[hindrance], textOf);
    knownAt = performance.now();
    probing = null;
  };
  return async () => {
    if (performance.now() - knownAt < keptMs && probing === null) return known;
    probing ??= probe();
    const isOver = await within(
      probing.then(() => true),
      waitMs,
    );
    if (isOver) return known;
    const waits = await waitsForStandby(pool, waitMs / 2).catch(() => false);
    return waits ? texts.awaitsStandby : texts.silent;
  };
}

function textOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === '53100') return texts.noSpace;
  return isConnectionLoss(error) ? texts.away : texts.failed;
}

async function within(work: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([work, late]);
  clearTimeout(timer);
  return inTime;
}
