import type pg from 'pg';
import { connectionTo } from '../event-store/connection-to.ts';
import { DatabaseClient } from '../event-store/database-client.ts';

/**
 * Locks on units of work. One process of all that share the database holds a lock. The database
 * frees the lock when its holder dies, or is frozen or cut off for longer than `silenceMs`. A
 * holder that was frozen may briefly believe that it still holds a lock. So every action under a
 * lock must also append at an expected version.
 */
export interface WorkLocks {
  /**
   * Takes the lock if it is free. Resolves with null if another process holds it, otherwise with a
   * number. The number stays the same while this process holds the lock without interruption.
   * Calls at the same time share one attempt. Rejects while the database cannot be asked.
   */
  hold(name: string): Promise<number | null>;
  /** Releases the lock, however often it was taken, after an attempt in progress to take it. */
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Work locks, some of them shared. A name is always exclusive or always shared. */
export interface SharedWorkLocks extends WorkLocks {
  /**
   * Shares the lock with other processes until one call of `release`. Rejects while the database
   * cannot be asked.
   */
  share(name: string): Promise<void>;
}

/** Counts the sessions of all processes that hold or share the lock now, without affecting them. */
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

/** One connection and the locks held through it, which end with the connection. */
interface LockSession {
  readonly client: pg.Client;
  readonly held: Map<string, number>;
  readonly shared: Map<string, Promise<void>>;
  /** Settled when the query before is: a client runs one query at a time. */
  turn: Promise<unknown>;
  /** Send time (`performance.now()`) of the latest query that was answered. */
  answeredAt: number;
}

const beatsPerSilence = 4;
const askAgainMs = 500;

/**
 * Session-level advisory locks on one connection. All locks are lost with the connection. The
 * server ends a session after `silenceMs` without a query, so the holder sends queries regularly.
 * Neither the kernel's keepalives nor an open connection reveal that a process is frozen.
 */
export function openWorkLocks(
  url: string,
  options: { readonly silenceMs?: number; readonly onLost?: (error: Error) => void } = {},
): SharedWorkLocks {
  const { silenceMs = 6_000 } = options;
  let opening: Promise<LockSession> | null = null;
  let current: LockSession | null = null;
  let takings = 0;
  /** Attempts to take a lock that are in progress, by name. */
  const pending = new Map<string, Promise<number | null>>();
  const refusedAt = new Map<string, number>();
  let closed = false;

  /** Always ends the connection, so that no lock outlives a session that was given up. */
  const giveUp = (session: LockSession, error: Error) => {
    session.client.end().catch(() => {});
    if (current !== session) return;
    current = null;
    opening = null;
    pending.clear();
    if (!closed) options.onLost?.(error);
  };

  const open = async (): Promise<LockSession> => {
    const client = new DatabaseClient({
      ...connectionTo(url, { idle_session_timeout: String(silenceMs) }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 4_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      application_name: 'proofmark locks',
    });
    const session: LockSession = {
      client,
      held: new Map(),
      shared: new Map(),
      turn: Promise.resolve(),
      answeredAt: -Infinity,
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
    keepAlive(session);
    return session;
  };

  const keepAlive = (session: LockSession) => {
    const beat = setInterval(() => {
      if (session === current) ask(session, 'SELECT').catch(() => {});
      else clearInterval(beat);
    }, silenceMs / beatsPerSilence).unref();
  };

  const session = (): Promise<LockSession> => {
    if (opening === null) {
      const next = open();
      opening = next;
      next.catch(() => {
        if (opening === next) opening = null;
      });
    }
    return opening;
  };

  /** Runs one query. Gives the session up if the query fails, since its locks are then unknown. */
  const ask = async <Row extends pg.QueryResultRow>(
    asked: LockSession,
    text: string,
    ...values: readonly string[]
  ): Promise<Row | undefined> => {
    const query = async () => {
      const sentAt = performance.now();
      const { rows } = await asked.client.query<Row>(text, [...values]);
      asked.answeredAt = sentAt;
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

  const take = async (name: string): Promise<number | null> => {
    const asked = await session();
    const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
    const row = await ask<{ taken: boolean }>(asked, text, name);
    // If the session was given up meanwhile, the lock ended with it.
    if (row?.taken !== true || asked !== current) {
      refusedAt.set(name, performance.now());
      return null;
    }
    refusedAt.delete(name);
    takings += 1;
    asked.held.set(name, takings);
    return takings;
  };

  return {
    async hold(name) {
      const holder = current;
      const since = holder?.held.get(name);
      if (holder !== null && since !== undefined) {
        // After a long silence this process may have just woken up, and its session may be gone.
        const isFresh = performance.now() - holder.answeredAt < silenceMs / 2;
        if (!isFresh) await ask(holder, 'SELECT');
        return since;
      }
      // PostgreSQL counts how often a session takes a lock, and `release` releases it once.
      const known = pending.get(name);
      if (known !== undefined) return known;
      // Another process held the lock a moment ago. Ask rarely for each of many locks.
      if (performance.now() - (refusedAt.get(name) ?? -Infinity) < askAgainMs) return null;
      const attempt = take(name).finally(() => {
        if (pending.get(name) === attempt) pending.delete(name);
      });
      pending.set(name, attempt);
      return attempt;
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
      await pending.get(name)?.catch(() => {});
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
