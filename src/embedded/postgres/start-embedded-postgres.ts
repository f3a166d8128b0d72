import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { boundLog } from './bound-log.ts';
import { databaseName, urlOf, writeConnection } from './connection-file.ts';
import { bundledPostgres, type Distribution } from './distribution.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { chooseFreePort, isFreePort } from './free-port.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { launchPostmaster, type Postmaster } from './launch-postmaster.ts';
import { locateCluster } from './locate-cluster.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { defaultReachableDir } from './reachable-dir.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Receives messages for the operator, one line each. */
  readonly log?: (line: string) => void;
  /** False: data need not survive a crash (tests). Default true. */
  readonly durable?: boolean;
  /** Folder for files that PostgreSQL's user cannot reach in place. Default /var/lib/proofmark. */
  readonly reachableDir?: string;
  /** Default: the PostgreSQL that npm installs. */
  readonly distribution?: Distribution;
  /** Time for PostgreSQL to begin its start. Default 120 s. */
  readonly startingMs?: number;
  /** Aborted: the start ends soon, rejects with the signal's reason, and leaves nothing running. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** postgres://… with its password, on 127.0.0.1. The database exists. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when PostgreSQL has ended, by stop() or by itself. Keeps no process alive. */
  readonly ended: Promise<void>;
  /** Ends all sessions and PostgreSQL: orderly within 8 s, otherwise the next start recovers. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a DATA_DIR, creating it at the first start. The caller must have the
 * DATA_DIR lock: so a PostgreSQL still running on the data was left by a killed service, and is
 * stopped first. Errors are EmbeddedPostgresError.
 *
 * PostgreSQL is not stopped when this process ends without stop(): call it after the last use.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log = () => {}, durable = true, reachableDir = defaultReachableDir } = options;
  const { distribution = bundledPostgres, startingMs, signal } = options;
  const dataDir = resolve(options.dataDir);
  if ((await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined) {
    await chmod(dataDir, 0o700);
  }
  const { user, connection, cluster } = await locateCluster(dataDir, reachableDir);
  const binaries = await distribution.provideBinaries(user, reachableDir);
  const left = await findPostmaster(cluster, user);
  if (left !== undefined) {
    log(`stopping the PostgreSQL (pid ${left}) that a killed service left running`);
    await stopPostmaster(left);
  }
  await initialiseCluster({
    cluster,
    binaries,
    user,
    password: connection.password,
    initdbArguments: distribution.initdbArguments,
    durable,
    expected: connection.initialised,
    ...(signal && { signal }),
  });
  let { port } = connection;
  const known = { ...connection, initialised: true };
  if (!connection.initialised) await writeConnection(dataDir, known);
  const launch = async () => {
    if (!(await isFreePort(port))) {
      const taken = port;
      port = await chooseFreePort();
      log(`port ${taken} of the embedded PostgreSQL is taken, it moves to ${port}`);
      await writeConnection(dataDir, { ...known, port });
    }
    const startupLogFile = join(dataDir, 'postgres-startup.log');
    const { settings } = distribution;
    const given = { cluster, binaries, user, settings, port, durable, startupLogFile };
    return launchPostmaster({ ...given, startingMs, log, ...(signal && { signal }) });
  };
  const postmaster = await retry(launch);
  const stopBoundingLog = boundLog(cluster);
  const stop = async () => {
    stopBoundingLog();
    await postmaster.stop();
  };
  // Also while its database is being made.
  const onAbort = () => void stop().catch(() => {});
  signal?.addEventListener('abort', onAbort);
  try {
    signal?.throwIfAborted();
    await ensureDatabase(urlOf({ ...known, port }, 'postgres'));
    signal?.throwIfAborted();
  } catch (cause) {
    await stop();
    signal?.throwIfAborted();
    throw cause;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  log(`PostgreSQL runs on 127.0.0.1:${port}, data in ${cluster}${user ? ` as ${user.name}` : ''}`);
  return {
    url: urlOf({ ...known, port }),
    pid: postmaster.pid,
    ended: postmaster.ended,
    stop,
  };
}

/**
 * Retries a start. A failure may be temporary: the port was taken after the check, or sessions of a
 * killed PostgreSQL still use its shared memory.
 */
async function retry(launch: () => Promise<Postmaster>): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch();
    } catch (cause) {
      const mayPass = cause instanceof EmbeddedPostgresError && cause.code === 'START_FAILED';
      if (!mayPass || attempt === 3) throw cause;
      await sleep(attempt * 500);
    }
  }
}

/** Creates our database if it is missing. `url` is that of another database on the same server. */
async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'START_FAILED',
      `PostgreSQL runs, but its database cannot be used: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
