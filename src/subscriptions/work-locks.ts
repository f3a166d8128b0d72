import pg from 'pg';

/**
 * Locks on pieces of work, held by one process of all that share the database and freed by the
 * database when their holder dies. A holder that was frozen may believe for a while that it still
 * holds one: whoever acts under a lock also appends at an expected version.
 */
export interface WorkLocks {
  /**
   * Takes the lock if nobody holds it. Resolves with null if somebody else does, otherwise with a
   * number that stays the same as long as this process has held it without a break.
   */
  hold(name: string): Promise<number | null>;
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Session-level advisory locks on one connection; when that is lost, so are all locks. */
export function openWorkLocks(
  url: string,
  options: { readonly onLost?: (error: Error) => void } = {},
): WorkLocks {
  let connection: Promise<pg.Client> | null = null;
  let held = new Map<string, number>();
  let takings = 0;

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 4_000,
      application_name: 'proofmark locks',
      // The server notices a vanished holder within 10 s.
      options: '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
      query_timeout: 5_000,
    });
    const lost = (error: Error) => {
      connection = null;
      held = new Map();
      options.onLost?.(error);
    };
    client.once('error', (error) => {
      lost(error);
      client.on('error', () => {});
      client.end().catch(() => {});
    });
    await client.connect();
    client.once('end', () => {
      if (connection !== null) lost(new Error('the connection that holds the locks ended'));
    });
    return client;
  };

  const opened = (): Promise<pg.Client> => {
    if (connection === null) {
      const connecting = connect();
      connection = connecting;
      connecting.catch(() => {
        if (connection === connecting) connection = null;
      });
    }
    return connection;
  };

  return {
    async hold(name) {
      const since = held.get(name);
      if (since !== undefined) return since;
      const session = held;
      const client = await opened();
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
        [name],
      );
      // Locks taken on a connection that was lost meanwhile are gone with it.
      if (rows[0]?.taken !== true || session !== held) return null;
      takings += 1;
      held.set(name, takings);
      return takings;
    },

    async release(name) {
      if (!held.delete(name)) return;
      const client = await opened();
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    },

    async close() {
      const ending = connection;
      connection = null;
      held = new Map();
      const client = await ending?.catch(() => null);
      await client?.end().catch(() => {});
    },
  };
}
