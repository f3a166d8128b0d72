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

/** One connection with the locks that are held through it, and no longer than it lives. */
interface Session {
  readonly client: pg.Client;
  readonly held: Map<string, number>;
  /** Settled when the query before is: a client is asked one thing at a time. */
  turn: Promise<unknown>;
}

/** Session-level advisory locks on one connection; when that is lost, so are all locks. */
export function openWorkLocks(
  url: string,
  options: { readonly onLost?: (error: Error) => void } = {},
): WorkLocks {
  let opening: Promise<Session> | null = null;
  let current: Session | null = null;
  let takings = 0;
  let closed = false;

  /** Given up, it is always ended: nothing it may still hold outlives it. */
  const giveUp = (session: Session, error: Error) => {
    session.client.end().catch(() => {});
    if (current !== session) return;
    current = null;
    opening = null;
    if (!closed) options.onLost?.(error);
  };

  const open = async (): Promise<Session> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 4_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      application_name: 'proofmark locks',
      // The server notices a vanished holder within 10 s.
      options: '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
    });
    const session: Session = { client, held: new Map(), turn: Promise.resolve() };
    client.on('error', (error) => giveUp(session, error));
    client.on('end', () => giveUp(session, new Error('the connection with the locks ended')));
    try {
      await client.connect();
    } catch (error) {
      giveUp(session, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    current = session;
    return session;
  };

  const session = (): Promise<Session> => {
    if (opening === null) {
      const next = open();
      opening = next;
      next.catch(() => {
        if (opening === next) opening = null;
      });
    }
    return opening;
  };

  /** After a query whose outcome is not known nobody can say what the session holds. */
  const ask = async <Row extends pg.QueryResultRow>(
    asked: Session,
    text: string,
    name: string,
  ): Promise<Row | undefined> => {
    const answer = asked.turn.then(() => asked.client.query<Row>(text, [name]));
    asked.turn = answer.catch(() => {});
    try {
      return (await answer).rows[0];
    } catch (error) {
      giveUp(asked, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };

  return {
    async hold(name) {
      const since = current?.held.get(name);
      if (since !== undefined) return since;
      const asked = await session();
      const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
      const row = await ask<{ taken: boolean }>(asked, text, name);
      // Taken on a session that was given up meanwhile, it is gone with it.
      if (row?.taken !== true || asked !== current) return null;
      takings += 1;
      asked.held.set(name, takings);
      return takings;
    },

    async release(name) {
      const asked = current;
      if (!asked?.held.delete(name)) return;
      await ask(asked, 'SELECT pg_advisory_unlock(hashtextextended($1, 0))', name);
    },

    async close() {
      closed = true;
      const last = await opening?.catch(() => null);
      opening = null;
      current = null;
      await last?.client.end().catch(() => {});
    },
  };
}
