import { setTimeout as delay } from 'node:timers/promises';
import { type GeneratedAlways, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connectionTo } from './connection-to.ts';
import { copyingPool } from './copying-pool.ts';
import type { DatabaseWentBack } from './database-went-back.ts';
import { HighWaterMark } from './high-water-mark.ts';
import { dropLostSessions } from './lost-sessions.ts';
import { preparingPool } from './preparing-pool.ts';
import type { EventRow } from './stored-event.ts';

/** Tables of the event store and its readers. A projection adds its own by `withTables`. */
export interface StoreTables {
  readonly events: EventRow;
  readonly log_head: { readonly position: number };
  readonly data_keys: {
    readonly organisation_id: string;
    readonly purpose: 'data' | 'index';
    readonly key_id: string;
    readonly wrapped: Buffer;
  };
  readonly checkpoints: {
    readonly name: string;
    readonly build: number;
    readonly version: number;
    position: number;
    status: 'live' | 'building' | 'kept';
    state: string | null;
  };
  readonly published_checkpoints: {
    readonly number: number;
    readonly note: string;
    readonly vkeys: string;
    readonly origin: GeneratedAlways<string>;
    readonly size: GeneratedAlways<number>;
  };
  readonly checkpoint_cosignatures: {
    readonly number: number;
    readonly vkey: string;
    readonly lines: string;
  };
}

export interface Database {
  readonly pool: pg.Pool;
  readonly db: Kysely<StoreTables>;
  /** The same database with prepared statements (`preparingPool`), for a few frequent statements. */
  readonly repeated: Kysely<StoreTables>;
  /** High-water mark of the log in this process. */
  readonly highWater: HighWaterMark;
  /** Checks the database against the mark now. A missing answer is no finding. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

const settings = {
  tcp_keepalives_idle: '4',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  // Read models continue up to 2.5 s later: within the 10 s that are promised.
  idle_in_transaction_session_timeout: '7000',
};

/** Longest wait for sessions to end, since an unreachable database never confirms their end. */
const goodbyeMs = 1_000;
const waitersMs = 5;

const bigintOid = 20;
const types: pg.CustomTypesConfig = {
  // Positions stay far below 2^53, so a bigint column is read as a number.
  getTypeParser: (oid, format) =>
    oid === bigintOid ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * Opens a pool. Connections set TCP keepalives, and the server ends an idle transaction, so that a
 * frozen holder of a lock loses it within 10 s. `onError` is called when an idle connection breaks.
 * The pool replaces it. Each new connection is checked against the high-water mark of the log, and
 * the database every `checkEveryMs`. Connections that the database does not know any more are
 * ended. If the database went back, `onWentBack` is called once, and
 * new connections are refused with the same error.
 */
export function openDatabase(
  url: string,
  options: {
    readonly maxConnections: number;
    readonly onError?: (error: Error) => void;
    readonly onWentBack?: (error: DatabaseWentBack) => void;
    readonly checkEveryMs?: number;
    readonly answerWithinMs?: number;
    readonly lostSessions?: Parameters<typeof dropLostSessions>[2];
  },
): Database {
  const highWater = new HighWaterMark(options);
  const pool = new pg.Pool({
    ...connectionTo(url, settings),
    max: options.maxConnections,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 4_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'proofmark',
    // The pool awaits this call before any query, although its types do not say so.
    onConnect: (client) => highWater.check(client),
  });
  pool.on('error', (error) => options.onError?.(error));
  // A connection that breaks between two statements of its user fails the next statement. Without
  // its own listener, the error would end the process.
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    client.once('end', () => connected.delete(client));
    connected.add(client);
  });
  const db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: copyingPool(pool) }) });
  const repeated = new Kysely<StoreTables>({
    dialect: new PostgresDialect({ pool: preparingPool(pool) }),
  });
  let checking = false;
  const checkNow = async () => {
    if (checking) return;
    checking = true;
    // `onWentBack` reports a finding. The users of an unreachable database report its errors.
    await highWater.check(pool).catch(() => {});
    checking = false;
  };
  const checks = setInterval(checkNow, options.checkEveryMs ?? 2_000).unref();
  const endWatch = dropLostSessions(url, pool, options.lostSessions);
  const close = async () => {
    clearInterval(checks);
    endWatch();
    // Wait for callers that wait for a connection: an ended pool forgets them, and such a caller
    // may hold another connection.
    while (pool.waitingCount > 0) await delay(waitersMs);
    await db.destroy();
    // Kysely ends only a pool that it has used.
    if (!pool.ending) await pool.end();
    // The pool does not wait for the sessions to end. A PostgreSQL that is stopped next waits for
    // them. Do not use `once` of `node:events` here: it rejects if a connection breaks before it
    // ends.
    const gone = [...connected].map((client) => new Promise((end) => client.once('end', end)));
    await Promise.race([Promise.all(gone), delay(goodbyeMs, undefined, { ref: false })]);
  };
  return { pool, db, repeated, highWater, checkNow, close };
}
