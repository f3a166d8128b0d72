import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const waitMs = 60_000;
let joined: Promise<string> | undefined;

/** Folder of another PostgreSQL's programs; by default tests use the PostgreSQL from npm. */
const bin = process.env.POSTGRES_BIN || undefined;

/**
 * Joins the PostgreSQL that all test files of this checkout share, and starts it (postgres-keeper.ts) if
 * necessary. Resolves with the administrator's URL. PostgreSQL lives as long as this process and its tap
 * run.
 */
export function joinSharedPostgres(): Promise<string> {
  joined ??= joinOrStart();
  return joined;
}

async function joinOrStart(): Promise<string> {
  const folder = await sharedFolder();
  const until = Date.now() + waitMs;
  let keeper: Keeper | undefined;
  while (Date.now() < until) {
    const url = await register(folder);
    if (url !== undefined) return url;
    // A keeper that exits with 0 found another one starting or stopping: try again.
    if (keeper === undefined || keeper.exitCode === 0) keeper = await startKeeper(folder);
    else if (keeper.exitCode !== undefined) break;
    await sleep(50);
  }
  const log = await readFile(join(folder, 'keeper.log'), 'utf8').catch(() => '');
  throw new Error(`the tests' PostgreSQL did not start: ${log}`);
}

/**
 * The folder of the keeper, for files that all test files of this checkout share. The system's folder for
 * temporary files is writable for all users, so check the owner.
 */
export async function sharedFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const checkout = resolve(import.meta.dirname, '../..');
  const name = createHash('sha256')
    .update(`${checkout}${bin ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  const folder = join(tmpdir(), `proofmark-test-${uid}-${name}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid) throw new Error(`${folder} is not ours`);
  return folder;
}

/**
 * Registers this process with the keeper by a connection that stays open until the process ends. Also sends
 * the id of the tap runner, which outlives this file. Undefined if no keeper runs.
 */
async function register(folder: string): Promise<string | undefined> {
  const found = await readKeeper(folder);
  if (found === undefined) return undefined;
  const { id, port, url } = found;
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(process.env.TAP === '1' ? String(process.ppid) : '0');
    });
    socket.setTimeout(2_000, () => socket.destroy());
    socket.setEncoding('utf8').once('data', (answer) => {
      socket.setTimeout(0).unref();
      done(String(answer) === id ? url : undefined);
    });
    socket.on('error', () => {});
    socket.once('close', () => done(undefined));
  });
}

/** The keeper's file; undefined if it is missing or incomplete. */
async function readKeeper(
  folder: string,
): Promise<{ readonly id: string; readonly port: number; readonly url: string } | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'keeper.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

interface Keeper {
  exitCode: number | undefined;
}

/** Starts the keeper in its own session: Ctrl-C must end the tests first. */
async function startKeeper(folder: string): Promise<Keeper> {
  const log = await open(join(folder, 'keeper.log'), 'w', 0o600);
  const script = join(import.meta.dirname, 'postgres-keeper.ts');
  // `env` removes the variables that tap gives to every child.
  const child = spawn(
    '/usr/bin/env',
    ['-i', process.execPath, script, folder, ...(bin ? [bin] : [])],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    },
  );
  const keeper: Keeper = { exitCode: undefined };
  child.once('error', () => {
    keeper.exitCode = 1;
  });
  child.once('exit', (exitCode) => {
    keeper.exitCode = exitCode ?? 1;
  });
  child.unref();
  await log.close();
  return keeper;
}
