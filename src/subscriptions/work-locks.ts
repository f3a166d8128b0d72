import pg from 'pg';
import { connectionTo } from '../event-store/connection-to.ts';

/**
 * Locks on pieces of work, held by one process of all that share the database and freed by the
 * database when their holder dies, or is frozen or cut off for longer than `silenceMs`. A holder
 * that was frozen may believe for a moment that it still holds one: whoever acts under a lock also
 * appends at an expected version.
 */
export interface WorkLocks {
  /**
   * Takes the lock if nobody holds it. Resolves with null if somebody else does, otherwise with a
   * number that stays the same as long as this process has held it without a break. Rejects while
   * the database cannot be asked.
   */
  hold(name: string): Promise<number | null>;
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Locks some of which are not held but shared; a name is always the one or always the other. */
export interface SharedWorkLocks extends WorkLocks {
  /**
   * Takes it together with all who share it, in whatever process, until it is released, once. Rejects
   * while the database cannot be asked.
   */
  share(name: string): Promise<void>;
}

/** How many sessions, of whatever process, hold or share the lock now; none of them is disturbed. */
export async function countHolders(pool: pg.Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ holders: number }>(
    `WITH lock AS (SELECT hashtextextended($1, 0) AS key)
     SELECT count(*) AS holders FROM pg_locks, lock
     WHERE locktype = 'advisory' AND granted AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = key`,
    [name],
  );
  return rows[0]?.holders ?? 0;
}

/** One connection with the locks that are held through it, and no longer than it lives. */
interface Session {
  readonly client: pg.Client;
  readonly held: Map<string, number>;
  readonly shared: Map<string, Promise<void>>;
  /** Settled when the query before is: a client is asked one thing at a time. */
  turn: Promise<unknown>;
  /** When the latest of the queries that were answered was sent, as `performance.now()` counts. */
  heardAt: number;
}

const beatsPerSilence = 4;
const askAgainMs = 500;

/**
 * Session-level advisory locks on one connection; when that is lost, so are all locks. The server
 * ends a session from which it has heard nothing for `silenceMs`, so the holder keeps it talking:
 * of a process that is frozen neither the kernel's keepalives nor its open connection tell.
 */
export function openWorkLocks(
  url: string,
  options: { readonly silenceMs?: number; readonly onLost?: (error: Error) => void } = {},
): SharedWorkLocks {
  const { silenceMs = 6_000 } = options;
  let opening: Promise<Session> | null = null;
  let current: Session | null = null;
  let takings = 0;
  const refusedAt = new Map<string, number>();
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
      ...connectionTo(url, { idle_session_timeout: String(silenceMs) }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 4_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      application_name: 'proofmark locks',
    });
    const session: Session = {
      client,
      held: new Map(),
      shared: new Map(),
      turn: Promise.resolve(),
      heardAt: -Infinity,
    };
    client.on('error', (error) => giveUp(session, error));
    client.on('end', () => giveUp(session, new Error('the connection with the locks ended')));
    try {
      await client.connect();
    } catch (error) {
      giveUp(session, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    current = session;
    keepTalking(session);
    return session;
  };

  const keepTalking = (session: Session) => {
    const beat = setInterval(() => {
      if (session === current) ask(session, 'SELECT').catch(() => {});
      else clearInterval(beat);
    }, silenceMs / beatsPerSilence).unref();
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
    ...values: readonly string[]
  ): Promise<Row | undefined> => {
    const query = async () => {
      const sentAt = performance.now();
      const { rows } = await asked.client.query<Row>(text, [...values]);
      asked.heardAt = sentAt;
      return rows[0];
    };
    const answer = asked.turn.then(query);
    asked.turn = answer.catch(() => {});
    try {
      return await answer;
    } catch (error) {
      giveUp(asked, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };

  return {
    async hold(name) {
      const holder = current;
      const since = holder?.held.get(name);
      if (holder !== null && since !== undefined) {
        // Whoever was silent that long may just be waking up to a session that is gone.
        const isFresh = performance.now() - holder.heardAt < silenceMs / 2;
        if (!isFresh) await ask(holder, 'SELECT');
        return since;
      }
      // Held by somebody else a moment ago: whoever waits for many locks asks for each but rarely.
      if (performance.now() - (refusedAt.get(name) ?? -Infinity) < askAgainMs) return null;
      const asked = await session();
      const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
      const row = await ask<{ taken: boolean }>(asked, text, name);
      // Taken on a session that was given up meanwhile, it is gone with it.
      if (row?.taken !== true || asked !== current) {
        refusedAt.set(name, performance.now());
        return null;
      }
      refusedAt.delete(name);
      takings += 1;
      asked.held.set(name, takings);
      return takings;
    },

    async share(name) {
      const asked = await session();
      const known = asked.shared.get(name);
      if (known) return known;
      const text = 'SELECT pg_advisory_lock_shared(hashtextextended($1, 0))';
      const taken = ask(asked, text, name).then(() => {});
      asked.shared.set(name, taken);
      return taken;
    },

    async release(name) {
      const asked = current;
      if (asked?.shared.delete(name)) {
        await ask(asked, 'SELECT pg_advisory_unlock_shared(hashtextextended($1, 0))', name);
      }
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
