import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import {
  acquireDataDirLock,
  DataDirBusyError,
  type DataDirLock,
} from '../../src/embedded/data-dir-lock.ts';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';

interface ReachedDatabase {
  readonly url: string;
  /** Stops PostgreSQL if it was started here. Call this after the last use. */
  release(): Promise<void>;
}

const waitMs = 30_000;
const lookAgainMs = 100;

/**
 * Finds the configured database. The embedded database belongs to the running service. Without a
 * service it is started here, under the DATA_DIR lock, and stopped by `release`. A second lock
 * serialises commands that would start it, so that no command stops a database in use. Once
 * `interrupted` is aborted, a start ends and rejects.
 */
export async function reachDatabase(
  config: Config,
  interrupted?: AbortSignal,
): Promise<ReachedDatabase> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl.reveal(), release: async () => {} };
  }
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} does not exist: correct it, or start the service there first`,
    );
  }
  const until = performance.now() + waitMs;
  const turn = await takeTurn(join(dataDir, 'operator'), until, interrupted);
  let started: ReachedDatabase | undefined;
  try {
    for (;;) {
      interrupted?.throwIfAborted();
      const lock = await tryLock(dataDir, performance.now() >= until);
      if (lock !== null) {
        started = await startLocked(dataDir, { lock, turn, interrupted });
        return started;
      }
      const running = await findEmbeddedPostgres({ dataDir });
      if (running !== null) return { url: running.url, release: async () => {} };
      // The holder of the lock is starting or stopping PostgreSQL.
      await delay(lookAgainMs);
    }
  } finally {
    if (started === undefined) await turn.release();
  }
}

async function startLocked(
  dataDir: string,
  {
    lock,
    turn,
    interrupted,
  }: {
    readonly lock: DataDirLock;
    readonly turn: DataDirLock;
    readonly interrupted: AbortSignal | undefined;
  },
): Promise<ReachedDatabase> {
  try {
    const signal = interrupted && { signal: interrupted };
    const { url, stop } = await startEmbeddedPostgres({ dataDir, ...signal });
    const release = async () => {
      await stop();
      await lock.release();
      await turn.release();
    };
    return { url, release };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function takeTurn(
  folder: string,
  until: number,
  interrupted: AbortSignal | undefined,
): Promise<DataDirLock> {
  for (;;) {
    interrupted?.throwIfAborted();
    const turn = await tryLock(folder, performance.now() >= until);
    if (turn !== null) return turn;
    await delay(lookAgainMs);
  }
}

/** Null while another process holds the lock; with `insist` that is an error. */
async function tryLock(folder: string, insist: boolean): Promise<DataDirLock | null> {
  try {
    return await acquireDataDirLock(folder);
  } catch (error) {
    if (error instanceof DataDirBusyError && !insist) return null;
    throw error;
  }
}
