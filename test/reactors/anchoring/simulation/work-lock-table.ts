import type { WorkLocks } from '../../../../src/subscriptions/work-locks.ts';

/**
 * Simulated database locks. One session holds each lock, and its end releases the lock. A session
 * that takes a lock several times must free it as often, as in PostgreSQL.
 */
export class WorkLockTable {
  readonly #holders = new Map<string, LockSession>();
  readonly #counts = new Map<string, number>();
  #takings = 0;

  /** Locks held by other sessions than these. */
  heldByOthers(sessions: readonly LockSession[]): string[] {
    return [...this.#holders].flatMap(([name, holder]) =>
      sessions.includes(holder) ? [] : [name],
    );
  }

  take(name: string, session: LockSession): number | null {
    const holder = this.#holders.get(name) ?? session;
    if (holder !== session || session.over) return null;
    this.#holders.set(name, session);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#takings += 1;
    return this.#takings;
  }

  free(name: string, session: LockSession): void {
    if (this.#holders.get(name) !== session) return;
    const count = (this.#counts.get(name) ?? 1) - 1;
    if (count > 0) this.#counts.set(name, count);
    else this.#forget(name);
  }

  /** Ends all sessions that hold a lock, as the end of the database does. */
  endAll(): void {
    for (const session of new Set(this.#holders.values())) this.end(session);
  }

  /** Releases the locks of an ended session. */
  end(session: LockSession): void {
    session.over = true;
    for (const [name, holder] of this.#holders) if (holder === session) this.#forget(name);
  }

  #forget(name: string): void {
    this.#holders.delete(name);
    this.#counts.delete(name);
  }
}

/** One database connection and its locks. */
export class LockSession {
  /** Attempts to take a lock that are in progress. */
  readonly pending = new Map<string, Promise<number | null>>();
  /** Locks that the process believes to hold. */
  readonly believed = new Map<string, number>();
  over = false;
}

/**
 * The locks of one process. `ask` reaches the database and may fail before or after the effect. A
 * failure ends the session for the process, and `noticed` ends it in the database.
 */
export function createMemoryLocks(
  table: WorkLockTable,
  ask: <Result>(effect: () => Result) => Promise<Result>,
  noticed: (end: () => void) => void,
): WorkLocks & { readonly session: () => LockSession; giveUp(): void } {
  let current = new LockSession();
  const giveUp = () => {
    const session = current;
    current = new LockSession();
    noticed(() => table.end(session));
  };
  const asked = async <Result>(effect: (session: LockSession) => Result): Promise<Result> => {
    const session = current;
    try {
      return await ask(() => {
        if (session.over) throw new Error('Connection terminated');
        return effect(session);
      });
    } catch (error) {
      if (session === current) giveUp();
      throw error;
    }
  };
  const take = async (name: string, session: LockSession) => {
    const taken = await asked(() => table.take(name, session));
    if (taken === null || session !== current) return null;
    session.believed.set(name, taken);
    return taken;
  };
  return {
    session: () => current,
    giveUp,
    async hold(name) {
      const since = current.believed.get(name);
      if (since !== undefined) return since;
      const session = current;
      const known = session.pending.get(name);
      if (known !== undefined) return known;
      const attempt = take(name, session).finally(() => session.pending.delete(name));
      session.pending.set(name, attempt);
      return attempt;
    },
    async release(name) {
      const session = current;
      await session.pending.get(name)?.catch(() => {});
      if (!session.believed.delete(name)) return;
      await asked(() => table.free(name, session));
    },
    async close() {
      giveUp();
    },
  };
}
