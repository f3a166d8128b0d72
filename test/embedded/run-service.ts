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
import { placeCluster } from '../../src/embedded/postgres/place-cluster.ts';
import { findPostmaster, stopPostmaster } from '../../src/embedded/postgres/postmaster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/embedded/postgres/start-embedded-postgres.ts';

/** A DATA_DIR to be, removed after the test, with the PostgreSQL that may still run in it. */
export async function temporaryDataDir(t: Pick<Test, 'teardown'>): Promise<string> {
  const dataDir = join(await temporaryFolder(t), 'data');
  t.teardown(() => stopWhatRuns(dataDir));
  return dataDir;
}

/** Anyone may enter it, so that root's PostgreSQL can. */
export async function temporaryFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-embedded-'));
  await chmod(folder, 0o755);
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function stopWhatRuns(dataDir: string): Promise<void> {
  if ((await readConnection(dataDir)) === undefined) return;
  const { cluster, user } = await placeCluster(dataDir, reachableDirOf(dataDir));
  const pid = await findPostmaster(cluster, user);
  if (pid !== undefined) await stopPostmaster(pid, 0);
}

export function reachableDirOf(dataDir: string): string {
  return `${dataDir}-reachable`;
}

/**
 * Starts PostgreSQL in this process; it is stopped after the test if it was not before. Not durable
 * unless said so: removing what was synced to disk takes a second each time.
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
  /** What it said when it had started. Rejects with what it said when it failed. */
  readonly started: Promise<Started>;
  readonly ended: Promise<unknown>;
}

export interface ServiceOptions extends SpawnOptions {
  readonly script?: string;
  readonly node?: string;
  readonly reachableDir?: string;
}

/** Runs service.ts on a DATA_DIR; in a process group of its own if `detached`. */
export function runService(
  t: Pick<Test, 'teardown'>,
  dataDir: string,
  { script, node, reachableDir, ...options }: ServiceOptions = {},
): Service {
  // Started through env, which takes from its environment what tap gives to every child.
  const child = spawn(
    '/usr/bin/env',
    [
      '-i',
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

/** A process that nobody has reaped yet has ended too. */
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
