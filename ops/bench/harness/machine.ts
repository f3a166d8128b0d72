import { execFile } from 'node:child_process';
import { open, statfs } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectionTo } from '../../../src/event-store/connection-to.ts';
import { DatabaseClient } from '../../../src/event-store/database-client.ts';
import { round } from './figures.ts';
import { createLatencies, type LatencySummary } from './latencies.ts';

/** Hardware and versions of a measurement. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly node: string;
  readonly postgres?: string;
  /** Null outside a git checkout; ends in `-dirty` if sources have uncommitted changes. */
  readonly commit: string | null;
}

export async function describeMachine(postgres: { readonly url: string } | null): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()}`,
    node: process.version,
    ...(postgres && { postgres: await versionOf(postgres.url) }),
    commit: await describeCommit(),
  };
}

/**
 * Load average of the last minute. Above the number of cores, other programs compete with the
 * benchmark.
 */
export function loadAverage(): number {
  return round(loadavg()[0] ?? 0, 2);
}

async function versionOf(url: string): Promise<string> {
  const client = new DatabaseClient(connectionTo(url));
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version ?? 'unknown';
  } finally {
    await client.end();
  }
}

async function describeCommit(): Promise<string | null> {
  try {
    const args = ['describe', '--always', '--abbrev=12', '--dirty', '--exclude=*'];
    const { stdout } = await promisify(execFile)('git', args, { cwd: import.meta.dirname });
    return stdout.trim();
  } catch {
    return null;
  }
}

/** Duration of durable writes on the disk under a benchmark: the minimum time of every commit. */
export interface Disk {
  /** `f_type` of statfs(2), hexadecimal: ef53 is ext4, 1021994 is tmpfs, which is not durable. */
  readonly fileSystem: string;
  /** 8 KiB appended and synced with fdatasync, one after the other. */
  readonly syncedWriteMs: LatencySummary;
}

const writes = 200;

export async function describeDisk(folder: string): Promise<Disk> {
  const latencies = createLatencies();
  const block = Buffer.alloc(8_192, 1);
  const file = await open(join(folder, 'synced-writes'), 'w');
  try {
    for (let count = 0; count < writes; count += 1) {
      const startedAt = performance.now();
      await file.write(block);
      await file.datasync();
      latencies.record(performance.now() - startedAt);
    }
  } finally {
    await file.close();
  }
  const { type } = await statfs(folder);
  return { fileSystem: type.toString(16), syncedWriteMs: latencies.summary() };
}
