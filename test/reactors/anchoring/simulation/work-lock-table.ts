import type { WorkLocks } from '../../../../src/subscriptions/work-locks.ts';

/** Locks in the database's stead: each is held by one session, and freed with it. */
export class WorkLockTable {
  readonly #holders = new Map<string, LockSession>();
  #takings = 0;

  /** What is held by none of these. */
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

  /** The database has noticed that the session is over. */
  end(session: LockSession): void {
    session.over = true;
    for (const [name, holder] of this.#holders) if (holder === session) this.#holders.delete(name);
  }
}

/** One connection with the locks that are held through it. */
export class LockSession {
  /** What its process believes that it holds. */
  readonly believed = new Map<string, number>();
  over = false;
}

/**
 * The locks of one process. `ask` is the way to the database, which may fail before and after the
 * effect; the session is given up then, as the real one is, and `noticed` ends it in the database.
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
