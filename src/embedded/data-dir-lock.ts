import { chmod, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors/operator-error.ts';
import { isAlive } from './is-alive.ts';

/** Another live process has locked the DATA_DIR. The message is one line for the operator. */
export class DataDirBusyError extends OperatorError {
  readonly dataDir: string;
  /** Process id of the lock's owner, from `lock.pid`; undefined if not written yet. */
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another process' : `another process (pid ${pid})`;
    super(`DATA_DIR ${dataDir} is in use by ${holder}: stop it first, or choose another DATA_DIR`);
    this.dataDir = dataDir;
    this.pid = pid;
  }
}

/** Prevents garbage collection, which would release the lock of a caller that drops its handle. */
const held = new Set<DatabaseSync>();

export interface DataDirLock {
  /** Releases the lock. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Locks the DATA_DIR for this process, creating it (0700) if necessary. One owner at a time: throws
 * DataDirBusyError at once while another process, or another caller in this one, has the lock.
 *
 * The lock is an exclusive SQLite transaction on `lock.sqlite` that is never committed. SQLite
 * implements it with POSIX record locks. The kernel grants these locks atomically, so of two
 * concurrent starts only one succeeds. The kernel releases them when the owner dies, by any cause.
 * So the lock is never stale, and no process id is trusted: `lock.pid` only informs people.
 * Children do not inherit record locks, so a PostgreSQL that outlives the service does not keep the
 * folder locked. A socket would work neither across network namespaces (two containers on one
 * volume) nor with a path longer than 107 bytes.
 *
 * Nothing else in this process may open `lock.sqlite`: closing any other descriptor of the file
 * would release the record locks.
 */
export async function acquireDataDirLock(dataDir: string): Promise<DataDirLock> {
  const folder = resolve(dataDir);
  await createPrivateFolder(folder);
  const lockFile = join(folder, 'lock.sqlite');
  const pidFile = join(folder, 'lock.pid');
  await createPrivateFile(lockFile, folder);
  const database = new DatabaseSync(lockFile, { open: false });
  try {
    database.open();
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    if (database.isOpen) database.close();
    if (!isBusy(cause))
      throw new Error(`DATA_DIR ${folder} cannot be locked: ${messageOf(cause)}`, { cause });
    throw new DataDirBusyError(folder, await readHolder(pidFile));
  }
  held.add(database);
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    async release() {
      if (!held.delete(database)) return;
      await rm(pidFile, { force: true });
      database.close();
    },
  };
}

async function createPrivateFolder(folder: string): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (created !== undefined) await chmod(folder, 0o700);
  } catch (cause) {
    throw new Error(`DATA_DIR ${folder} cannot be created: ${messageOf(cause)}`, { cause });
  }
  if (!(await stat(folder)).isDirectory())
    throw new OperatorError(`DATA_DIR ${folder} is not a folder`);
}

/** `wx` never opens an existing file: see the last paragraph of acquireDataDirLock. */
async function createPrivateFile(file: string, folder: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.close();
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return;
    throw new Error(`DATA_DIR ${folder} cannot be used: ${messageOf(cause)}`, { cause });
  }
}

/** The owner writes its pid just after locking: a short wait bridges that gap. */
async function readHolder(pidFile: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
    if (Number.isSafeInteger(pid) && isAlive(pid)) return pid;
    await sleep(50);
  }
  return undefined;
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html */
function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === 5;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
