import pg from 'pg';
import { StandbyBehind } from './connection-loss.ts';
import { DatabaseWentBack } from './database-went-back.ts';

/** A committed event, identified by its position and its leaf. No two events have the same leaf. */
export interface SeenEvent {
  readonly position: number;
  /** 32 bytes. */
  readonly leaf: Buffer;
}

/** Restores an event sent from another thread: a Buffer arrives as a Uint8Array. */
export function asSeen({ position, leaf }: { position: number; leaf: Uint8Array }): SeenEvent {
  return { position, leaf: Buffer.from(leaf) };
}

/** SQLSTATE of a missing table: the database is reached, and has no log. */
const undefinedTable = '42P01';

/**
 * High-water mark of the log in one process: the highest event that the process has appended or
 * read. A database without that event at its position went back. The finding is final for the
 * process.
 */
export class HighWaterMark {
  readonly #onWentBack: (error: DatabaseWentBack) => void;
  readonly #answerWithinMs: number;
  #highest: SeenEvent | null = null;
  /**
   * Newest event at the last check. The highest one may since have been read from another database.
   */
  #confirmed: SeenEvent | null = null;
  #wentBack: DatabaseWentBack | null = null;

  /**
   * `onWentBack` is called once, when the database is first found to have gone back. A check that
   * takes longer than `answerWithinMs` has no answer.
   */
  constructor(
    options: {
      readonly onWentBack?: ((error: DatabaseWentBack) => void) | undefined;
      readonly answerWithinMs?: number | undefined;
    } = {},
  ) {
    this.#onWentBack = options.onWentBack ?? (() => {});
    this.#answerWithinMs = options.answerWithinMs ?? 5_000;
  }

  /** The highest event; null before any. */
  get highest(): SeenEvent | null {
    return this.#highest;
  }

  /** Position of the highest event; 0 before any. */
  get position(): number {
    return this.#highest?.position ?? 0;
  }

  /** Takes note of committed events, in any order. */
  see(events: readonly SeenEvent[]): void {
    for (const { position, leaf } of events) {
      if (position > this.position) this.#highest = { position, leaf };
    }
  }

  /** Throws `DatabaseWentBack` from the first finding on. */
  requireIntact(): void {
    if (this.#wentBack !== null) throw this.#wentBack;
  }

  /**
   * Takes note of an append. `before` is the position of the mark when the append began. Positions
   * only grow, so an append at or below `before` went into a database that went back: throws
   * `DatabaseWentBack`.
   */
  seeAppended(before: number, first: number, last: SeenEvent): void {
    this.requireIntact();
    if (first <= before) {
      const finding = `it appended at position ${first}, although this process has seen event ${before}`;
      throw this.report(new DatabaseWentBack(finding));
    }
    this.see([last]);
  }

  /**
   * Compares the database with the mark, and takes note of the newest event of the log. Rejects
   * with `DatabaseWentBack`, or with `StandbyBehind` while the server is a standby that has not
   * replayed the highest event. If the database does not answer, rejects with the driver's error,
   * which is no finding.
   */
  async check(database: Pick<pg.ClientBase, 'query'>): Promise<void> {
    this.requireIntact();
    const highest = this.#highest;
    if (highest === null) return;
    const seen = [this.#confirmed ?? highest, highest] as const;
    const found = await ask(database, seen, this.#answerWithinMs);
    const missing = seen.find(({ leaf }, at) => !found?.leaves[at]?.equals(leaf));
    if (missing !== undefined) {
      if (found?.isStandby) throw new StandbyBehind();
      throw this.report(new DatabaseWentBack(describe(missing, found)));
    }
    if (found?.isStandby || !found?.newest) return;
    this.see([found.newest]);
    this.#confirmed = found.newest;
  }

  /** Records the first finding and calls `onWentBack`; returns the error to throw. */
  report(error: DatabaseWentBack): DatabaseWentBack {
    if (this.#wentBack === null) {
      this.#wentBack = error;
      this.#onWentBack(error);
    }
    return this.#wentBack;
  }
}

interface Found {
  /** The server replays WAL of another server, so it may lack events temporarily. */
  readonly isStandby: boolean;
  /** Leaves at the requested positions; null if the log has none. */
  readonly leaves: readonly (Buffer | null)[];
  /** Null in an empty log. */
  readonly newest: SeenEvent | null;
}

interface Row {
  readonly standby: boolean;
  readonly first: Buffer | null;
  readonly second: Buffer | null;
  readonly head: number | null;
  readonly newest: Buffer | null;
}

/** Returns null if the database has no tables of the log. */
async function ask(
  database: Pick<pg.ClientBase, 'query'>,
  seen: readonly [SeenEvent, SeenEvent],
  withinMs: number,
): Promise<Found | null> {
  const query = {
    name: 'high-water-mark',
    text: `SELECT pg_is_in_recovery() AS standby,
        (SELECT leaf FROM events WHERE position = $1) AS first,
        (SELECT leaf FROM events WHERE position = $2) AS second,
        head.position AS head, (SELECT leaf FROM events WHERE position = head.position) AS newest
      FROM (SELECT max(position) AS position FROM log_head) AS head`,
    values: seen.map(({ position }) => position),
    query_timeout: withinMs,
  };
  try {
    const [row] = (await database.query<Row>(query)).rows;
    if (row === undefined) throw new Error('a query of one row gave none');
    const { standby: isStandby, first, second, head, newest } = row;
    const isEmpty = head === null || newest === null;
    const leaves = [first, second];
    return { isStandby, leaves, newest: isEmpty ? null : { position: head, leaf: newest } };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return null;
    throw error;
  }
}

function describe({ position }: SeenEvent, found: Found | null): string {
  if (found === null)
    return `it lacks event ${position}, which this process has seen; it holds no log`;
  const end = found.newest?.position ?? 0;
  if (end >= position) {
    return `its event at position ${position} is not the one that this process has seen there`;
  }
  const rest = end === 0 ? 'the log is empty' : `the log ends at event ${end}`;
  return `it lacks event ${position}, which this process has seen; ${rest}`;
}
