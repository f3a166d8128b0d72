import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { Test } from 'tap';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { locateCluster } from '../../src/embedded/postgres/locate-cluster.ts';
import { findPostmaster, stopPostmaster } from '../../src/embedded/postgres/postmaster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { compileCache, undoAtExit } from '../support/run.ts';

/** Path for a DATA_DIR. After the test it is removed, and a running PostgreSQL is stopped. */
export async function temporaryDataDir(t: Pick<Test, 'teardown'>): Promise<string> {
  const dataDir = join(await temporaryFolder(t), 'data');
  undoAtExit(t, () => killPostgres(dataDir));
  t.teardown(() => stopWhatRuns(dataDir));
  return dataDir;
}

/**
 * Kills the PostgreSQL of a DATA_DIR, which is not in its program's process group. `/proc` confirms
 * the process.
 */
function killPostgres(dataDir: string): void {
  try {
    const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (command.includes(dataDir)) process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // No PostgreSQL is running.
  }
}

/** Readable by anyone, so that root's PostgreSQL can enter it. */
export async function temporaryFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-embedded-'));
  await chmod(folder, 0o755);
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function stopWhatRuns(dataDir: string): Promise<void> {
  if ((await readConnection(dataDir)) === undefined) return;
  const { cluster, user } = await locateCluster(dataDir, reachableDirOf(dataDir));
  const pid = await findPostmaster(cluster, user);
  if (pid !== undefined) await stopPostmaster(pid, 0);
}

export function reachableDirOf(dataDir: string): string {
  return `${dataDir}-reachable`;
}

/**
 * Starts PostgreSQL in this process, and stops it after the test at the latest. Not durable by
 * default, since removing synced files takes a second each time.
 */
export async function startHere(
  t: Pick<Test, 'teardown'>,
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const reachableDir = reachableDirOf(dataDir);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    reachableDir,
    ...options,
  });
  t.teardown(postgres.stop);
  return postgres;
}

export interface Started {
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
}

export interface Service {
  readonly child: ChildProcess;
  /** Output of a successful start. Rejects with the output of a failed start. */
  readonly started: Promise<Started>;
  readonly ended: Promise<unknown>;
}

export interface ServiceOptions extends SpawnOptions {
  readonly script?: string;
  readonly node?: string;
  readonly reachableDir?: string;
}

/** Runs service.ts on a DATA_DIR, in its own process group if `detached`. */
export function runService(
  t: Pick<Test, 'teardown'>,
  dataDir: string,
  { script, node, reachableDir, ...options }: ServiceOptions = {},
): Service {
  // Started through `env -i`, which removes variables that tap sets for every child.
  const child = spawn(
    '/usr/bin/env',
    [
      '-i',
      ...Object.entries(compileCache).map(([name, value]) => `${name}=${value}`),
      node ?? process.execPath,
      script ?? join(import.meta.dirname, 'service.ts'),
      dataDir,
      reachableDir ?? reachableDirOf(dataDir),
    ],
    { ...options, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  t.teardown(() => child.kill('SIGKILL'));
  return { child, started: firstLine(child), ended };
}

async function firstLine({ stdout }: ChildProcess): Promise<Started> {
  if (stdout === null) throw new Error('no output');
  for await (const line of createInterface(stdout)) {
    const said = JSON.parse(line) as Started & { error?: string };
    if (said.error !== undefined) throw new Error(said.error);
    return said;
  }
  throw new Error('the service ended without a word');
}

/** A zombie process has ended too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
