import { availableParallelism } from 'node:os';
import { StoreUnavailable } from '../../../src/event-store/connection-loss.ts';
import { createWorkerPool } from '../../../src/threads/worker-pool.ts';
import { type CopiedPage, copiedColumns } from '../rows/copied-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { type Queryable, readRowPages } from '../rows/read-rows.ts';
import type { CheckingOrder, CheckingThread } from './checking-thread.ts';

/**
 * Some rows of the log, in order: the rows themselves, or those of a page from `from` up to `to`, at
 * least one. Only the first stretch of a page begins with 0.
 */
export type ReadStretch =
  | { readonly rows: readonly FoundRow[] }
  | { readonly page: CopiedPage; readonly from: number; readonly to: number };

/** Reads the rows of the log in order up to `upTo`. */
export type ReadLog = (database: Queryable, upTo: number) => AsyncGenerator<ReadStretch>;

const mostThreads = 4;
const timeoutMs = 120_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 };
const pagePositions = 2_048;
/** Pages that a thread asks for at once: it checks one while the database reads the next. */
const ordersPerThread = 2;
/** Pages that each thread is ahead. */
const pagesAhead = 3;
/** A shorter log takes less time than starting a thread. */
const fewestPositions = 20_000;

/**
 * Reads the log with threads that also check each row by itself. Rows
 * that they cannot read are read as by `readRowPages`.
 */
export function readOnThreads(
  url: string,
  {
    fewest = fewestPositions,
    threads = Math.min(mostThreads, availableParallelism()),
    verifiesBlobs = false,
    findsThings = false,
  }: {
    readonly fewest?: number;
    readonly threads?: number;
    /** True if an audit of the anchors gets the rows. */
    readonly verifiesBlobs?: boolean;
    /** True if an audit of references gets the rows. */
    readonly findsThings?: boolean;
  } = {},
): ReadLog {
  return async function* read(database, upTo) {
    const last = await lastPosition(database, upTo);
    if (last < fewest || !(await hasExpectedColumns(database)) || !(await isUnique(database))) {
      yield* readSlowly(database, { upTo });
      return;
    }
    const pool = createWorkerPool<CheckingOrder, CopiedPage>({
      thread: new URL('./checking-thread.ts', import.meta.url),
      workerData: { url, verifiesBlobs, findsThings } satisfies CheckingThread,
      ...{ threads, ordersPerThread, maxWaiting: Infinity, timeoutMs, resourceLimits },
      unavailable: (reason, cause) => new StoreUnavailable({ cause: new Error(reason, cause) }),
    });
    const order = (after: number) =>
      pool.run(null, { after, upTo: Math.min(after + pagePositions, last) }).catch(() => null);
    try {
      const ahead: Promise<CopiedPage | null>[] = [];
      for (let [position, ordered] = [0, 0]; position < last; ) {
        for (; ordered < last && ahead.length < threads * pagesAhead; ordered += pagePositions) {
          ahead.push(order(ordered));
        }
        const page = (await ahead.shift()) ?? null;
        const end = Math.min(position + pagePositions, last);
        const isEmpty = page === null || page.positions.length === 0;
        if (!isEmpty) yield* rowsOf(database, page, { after: position, upTo: end });
        // A gap may be wider than can be counted through page by page.
        else yield* readSlowly(database, { after: position, upTo: page === null ? end : last });
        position = isEmpty && page !== null ? last : end;
      }
    } finally {
      await pool.close();
    }
  };
}

/** The rows of a page, and those that are missing in it. */
async function* rowsOf(
  database: Queryable,
  page: CopiedPage,
  { after, upTo }: CheckingOrder,
): AsyncGenerator<ReadStretch> {
  let [position, from] = [after, 0];
  for (const [index, next] of page.positions.entries()) {
    if (next > position + 1) {
      if (index > from) yield { page, from, to: index };
      yield* readSlowly(database, { after: position, upTo: next - 1 });
      from = index;
    }
    position = next;
  }
  yield { page, from, to: page.positions.length };
  if (position < upTo) yield* readSlowly(database, { after: position, upTo });
}

/** Reads rows without threads. */
export async function* readSlowly(
  database: Queryable,
  range: { readonly after?: number; readonly upTo: number },
): AsyncGenerator<ReadStretch> {
  for await (const { rows } of readRowPages(database, range)) yield { rows };
}

async function lastPosition(database: Queryable, upTo: number): Promise<number> {
  const { rows } = await database.query<{ last: number | null }>(
    'SELECT max(position) AS last FROM events WHERE position <= $1',
    [upTo],
  );
  return rows[0]?.last ?? 0;
}

/** Someone who may change the table may also change the types of its columns. */
async function hasExpectedColumns(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ name: string; type: string }>(
    `SELECT attname AS name, atttypid::regtype::text AS type FROM pg_attribute
     WHERE attrelid = 'events'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return Object.entries(copiedColumns).every(([name, type]) => types.get(name) === type);
}

/**
 * True if no two rows can have the same position. Threads leave rows out that they cannot read, and
 * a row that is left out beside another one of its position would not be missed.
 */
async function isUnique(database: Queryable): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
     WHERE indrelid = 'events'::regclass AND attname = 'position' AND indnkeyatts = 1
       AND indisunique AND indisvalid AND indisready AND indpred IS NULL`,
  );
  return rows.length > 0;
}
