import type { WorkLocks } from '../../../../src/subscriptions/work-locks.ts';

/** Simulated database locks. One session holds each lock, and its end releases the lock. */
export class WorkLockTable {
  readonly #holders = new Map<string, LockSession>();
  #takings = 0;

  /** Locks held by other sessions than these. */
  heldByOthers(sessions: readonly LockSession[]): string[] {
    return [...this.#holders].flatMap(([name, holder]) =>
      sessions.includes(holder) ? [] : [name],
    );
  }

  take(name: string, session: LockSession): number | null {
    if (this.#holders.has(name) || session.over) return null;
    this.#holders.set(name, session);
    this.#takings += 1;
    return this.#takings;
  }

  free(name: string, session: LockSession): void {
    if (this.#holders.get(name) === session) this.#holders.delete(name);
  }

  /** Ends all sessions that hold a lock, as the end of the database does. */
  endAll(): void {
    for (const session of new Set(this.#holders.values())) this.end(session);
  }

  /** Releases the locks of an ended session. */
  end(session: LockSession): void {
    session.over = true;
    for (const [name, holder] of this.#holders) if (holder === session) this.#holders.delete(name);
  }
}

/** One database connection and its locks. */
export class LockSession {
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
  return {
    session: () => current,
    giveUp,
    async hold(name) {
      const since = current.believed.get(name);
      if (since !== undefined) return since;
      const session = current;
      const taken = await asked(() => table.take(name, session));
      if (taken === null || session !== current) return null;
      session.believed.set(name, taken);
      return taken;
    },
    async release(name) {
      const session = current;
      if (!session.believed.delete(name)) return;
      await asked(() => table.free(name, session));
    },
    async close() {
      giveUp();
    },
  };
}
