import type pg from 'pg';
import { connectionTo } from './connection-to.ts';
import { DatabaseClient } from './database-client.ts';

interface Row {
  readonly started: string;
  readonly standby: boolean;
  readonly alive: readonly number[];
}

const answerWithinMs = 5_000;

/**
 * Ends connections of the pool whose session the database does not know any more, such as to a
 * primary that froze or vanished before another server was promoted. Such a connection is silent:
 * the network reports its end after a quarter of an hour, or never. Asks on a connection of its own
 * while a connection has been in use for `busyMs`. Returns a function that ends the watch.
 */
export function dropLostSessions(
  url: string,
  pool: pg.Pool,
  {
    busyMs = 10_000,
    everyMs = 5_000,
  }: { readonly busyMs?: number; readonly everyMs?: number } = {},
): () => void {
  const usedSince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => usedSince.set(client, performance.now()));
  pool.on('release', (_error, client) => usedSince.delete(client));
  pool.on('remove', (client) => usedSince.delete(client));
  let asking = false;

  const look = async () => {
    const before = performance.now() - busyMs;
    const busy = [...usedSince].flatMap(([client, since]) =>
      since < before && client instanceof DatabaseClient && client.session ? [client] : [],
    );
    if (busy.length === 0 || asking) return;
    asking = true;
    // An unreachable database knows nothing about its sessions. Ask again.
    const found = await ask(url, busy).catch(() => null);
    asking = false;
    // A standby is not the server of our sessions, and does not know them.
    if (found === null || found.standby) return;
    for (const client of busy) {
      const { session } = client;
      const isKnown = session?.started === found.started && found.alive.includes(session.pid);
      if (!isKnown) client.end().catch(() => {});
    }
  };

  const looking = setInterval(look, everyMs).unref();
  return () => clearInterval(looking);
}

async function ask(url: string, clients: readonly DatabaseClient[]): Promise<Row | null> {
  const limits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  const client = new DatabaseClient({ ...connectionTo(url, null), ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Row>(
      `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS started, pg_is_in_recovery() AS standby,
        array(SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)) AS alive`,
      [clients.map(({ session }) => session?.pid)],
    );
    return rows[0] ?? null;
  } finally {
    client.end().catch(() => {});
  }
}
