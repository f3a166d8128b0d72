import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../is-alive.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';
import type { SystemUser } from './system-user.ts';

const pollMs = 20;

/** PostgreSQL's own statements in postmaster.pid (miscadmin.h, LOCK_FILE_LINE_*). */
interface PostmasterFile {
  readonly pid: number;
  readonly ready: boolean;
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * The pid of the PostgreSQL that runs on this data folder, started by any process. After a crash of
 * the machine, another process may have the pid in postmaster.pid. That file is removed, since
 * PostgreSQL would refuse to start, but never while its process may be PostgreSQL.
 */
export async function findPostmaster(
  cluster: string,
  user: SystemUser | undefined,
): Promise<number | undefined> {
  const found = await readPostmasterFile(cluster);
  if (found === undefined || !isAlive(found.pid)) return undefined;
  if (await isPostmasterOf(found.pid, cluster, user)) return found.pid;
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

/**
 * Fast shutdown: ends sessions and writes all data. After `patienceMs` PostgreSQL is ended at once
 * (the next start recovers), and finally killed.
 */
export async function stopPostmaster(pid: number, patienceMs = 8_000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', patienceMs],
    ['SIGQUIT', 6_000],
    ['SIGKILL', 2_000],
  ] as const) {
    send(pid, signal);
    const until = Date.now() + waitMs;
    while (Date.now() < until) {
      if (await hasEnded(pid)) return;
      await sleep(pollMs);
    }
  }
  throw new EmbeddedPostgresError('STOP_FAILED', `PostgreSQL (pid ${pid}) cannot be stopped`);
}

/** Compares the working directory with the data folder on Linux, else only the program's name. */
async function isPostmasterOf(
  pid: number,
  cluster: string,
  user: SystemUser | undefined,
): Promise<boolean> {
  if (process.platform === 'linux') {
    // Ask as PostgreSQL's user: root in a container may not inspect other users' processes.
    const script = 'cd -P "/proc/$0/cwd" && pwd -P';
    const { exitCode, output } = await runProgram('/bin/sh', ['-c', script, String(pid)], user);
    return exitCode === 0 && output.trimEnd() === (await realpath(cluster));
  }
  const { output } = await runProgram('/bin/ps', ['-o', 'comm=', '-p', String(pid)], undefined);
  return /postgres\s*$/.test(output);
}

/**
 * Counts a zombie as ended: a process stays a zombie for ever if its parent does not reap it
 * (containers whose first process is no init).
 */
async function hasEnded(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return true;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /\) Z /.test(state);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (codeOf(cause) === 'ESRCH') return;
    throw new EmbeddedPostgresError(
      'STOP_FAILED',
      `PostgreSQL (pid ${pid}) belongs to another user and cannot be stopped`,
      { cause },
    );
  }
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
