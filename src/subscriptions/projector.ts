import { type Kysely, sql, type Transaction } from 'kysely';
import { type Observable, retry, timer } from 'rxjs';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import { type LogFolder, type Projection, tableName } from './projection.ts';
import { pullOnHints } from './pull-loop.ts';

const batchSize = 1_000;
const retryMs = 1_000;

/**
 * Makes sure that the tables of the projection's version exist, with their checkpoint. The first
 * version ever is live at once. Safe to call from several processes.
 */
export async function prepareProjection(
  db: Kysely<StoreTables>,
  projection: Projection,
): Promise<void> {
  const named = tableName(projection);
  const { name, version, tables } = projection;
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('projection ' || ${name}))`.execute(trx);
    const known = await trx
      .selectFrom('checkpoints')
      .select(['version', 'live'])
      .where('name', '=', name)
      .execute();
    if (known.some((row) => row.version === version)) return;
    await projection.create(trx, named);
    const live = known.length === 0;
    await trx
      .insertInto('checkpoints')
      .values({ name, version, position: 0, live, state: null })
      .execute();
    if (!live) return;
    for (const table of tables) {
      await sql`CREATE VIEW ${sql.id(table)} AS SELECT * FROM ${sql.id(named(table))}`.execute(trx);
    }
  });
}

/**
 * Folds the next stretch of the log. Rows and checkpoint commit together; the lock of the
 * checkpoint's row is the leadership, so of several projectors one works. Returns the position
 * reached, or null when another holds the lock.
 */
export async function projectNext(
  db: Kysely<StoreTables>,
  store: EventStore,
  projection: LogFolder,
): Promise<number | null> {
  const { name, version, types } = projection;
  return db.transaction().execute(async (trx) => {
    const checkpoint = await lockCheckpoint(trx, name, version);
    if (checkpoint === null) return null;
    const page = await store.readPage(checkpoint, batchSize, types);
    if (page.position === checkpoint) return checkpoint;
    if (page.events.length > 0) {
      await projection.project(trx, page.events, tableName(projection));
    }
    await trx
      .updateTable('checkpoints')
      .set({ position: page.position })
      .where('name', '=', name)
      .where('version', '=', version)
      .execute();
    return page.position;
  });
}

/** Follows the log with a projection, for ever; trouble is reported and retried. */
export function runProjector(options: {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly signal: LogSignal;
  readonly projection: LogFolder;
  readonly onError?: (error: unknown) => void;
}): Observable<void> {
  const { db, store, signal, projection, onError } = options;
  let reached = -1;
  const pull = async () => {
    // Most hints find nothing new: that is seen without taking the checkpoint's lock.
    while ((await store.head()) > reached) {
      const position = await projectNext(db, store, projection);
      if (position === null || position === reached) return;
      reached = position;
    }
  };
  const delay = (error: unknown) => {
    onError?.(error);
    return timer(retryMs);
  };
  return pullOnHints(signal.hints, pull).pipe(retry({ delay }));
}

async function lockCheckpoint(
  trx: Transaction<StoreTables>,
  name: string,
  version: number,
): Promise<number | null> {
  const row = await trx
    .selectFrom('checkpoints')
    .select('position')
    .where('name', '=', name)
    .where('version', '=', version)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.position ?? null;
}
