import { spawn } from 'node:child_process';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readPostmasterFile, stopPostmaster } from './postmaster.ts';
import { cleanEnvironment } from './run-program.ts';
import { postgresArguments } from './settings.ts';
import type { SystemUser } from './system-user.ts';

/** Recovery after a crash replays at most max_wal_size (1 GB) of WAL; a slow disk takes longer. */
const usualStartingMs = 120_000;

interface LaunchOptions {
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly port: number;
  readonly durable: boolean;
  /** For output before PostgreSQL has a log. Not in the cluster: as root, we do not own it. */
  readonly startupLogFile: string;
  /** Time for PostgreSQL to say that it starts. Default 120 s. */
  readonly startingMs?: number | undefined;
  /** Receives a line whenever it has been starting for that time again. */
  readonly log?: (line: string) => void;
  /** Aborted: PostgreSQL is stopped, and the launch rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Postmaster {
  readonly pid: number;
  /** Resolves when PostgreSQL has ended, for any reason. Does not keep this process alive. */
  readonly ended: Promise<void>;
  /** As stopPostmaster; does nothing if PostgreSQL has ended. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and waits until it accepts connections. As long as PostgreSQL says that it starts,
 * it may be recovering, and an end would make the next start recover from the beginning. Throws
 * START_FAILED if PostgreSQL ends instead, START_TIMED_OUT if it says nothing. PostgreSQL gets a session of its own, so that Ctrl-C
 * and a closed terminal reach the service alone. Its outputs are files, so that PostgreSQL can
 * outlive this process. Does not keep this process alive.
 */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  const { cluster, binaries, user, startupLogFile, signal } = options;
  const { startingMs = usualStartingMs, log = () => {} } = options;
  signal?.throwIfAborted();
  const settings = postgresArguments(options.settings, options);
  const startupLog = await open(startupLogFile, 'w', 0o600);
  const child = spawn(binaries.postgres, ['-D', cluster, ...settings], {
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', startupLog.fd, startupLog.fd],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  let failure: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failure = error.message;
      resolve();
    });
    child.once('exit', (exitCode, signal) => {
      failure = `it ended with ${signal ?? `exit code ${exitCode}`}`;
      resolve();
    });
  });
  child.unref();
  await startupLog.close();
  const startedAt = Date.now();
  let until = startedAt + startingMs;
  while (failure === undefined) {
    if (signal?.aborted === true && child.pid !== undefined) {
      await stopPostmaster(child.pid);
      throw signal.reason;
    }
    const found = await readPostmasterFile(cluster);
    if (Date.now() >= until) {
      if (found?.pid !== child.pid) break;
      until = Date.now() + startingMs;
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      log(
        `PostgreSQL (pid ${child.pid}) has been starting for ${seconds} s: it recovers after a crash`,
      );
    }
    if (found?.ready === true && found.pid === child.pid) {
      const { pid } = found;
      const stop = async () => {
        if (failure !== undefined) return;
        child.ref();
        await stopPostmaster(pid);
        await ended;
      };
      return { pid, ended, stop };
    }
    await Promise.race([ended, sleep(20)]);
  }
  const words = await lastWords(cluster, startupLogFile);
  if (failure !== undefined || child.pid === undefined) {
    const message = `PostgreSQL did not start (${failure}): ${words}`;
    throw new EmbeddedPostgresError('START_FAILED', message);
  }
  await stopPostmaster(child.pid, 0);
  const message = `PostgreSQL did not begin to start within ${startingMs / 1000} s: ${words}`;
  throw new EmbeddedPostgresError('START_TIMED_OUT', message);
}

/** PostgreSQL's last error messages, from its log and its startup output. */
async function lastWords(cluster: string, startupLogFile: string): Promise<string> {
  const logFolder = join(cluster, 'log');
  const newest = (await readdir(logFolder).catch(() => [])).sort().at(-1);
  const files = [startupLogFile, ...(newest === undefined ? [] : [join(logFolder, newest)])];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const lines = texts.join('\n').split('\n');
  const messages = lines.filter((line) => /FATAL|PANIC|HINT/.test(line));
  return messages.slice(-2).join(' ') || `see ${files.join(' and ')}`;
}
