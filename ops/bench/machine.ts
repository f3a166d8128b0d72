import { execFile } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

/** What the numbers were measured on, and with. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly node: string;
  readonly postgres: string;
  /** Null outside of a git checkout; ends in `-dirty` if the sources are not as committed. */
  readonly commit: string | null;
}

export async function describeMachine(postgres: string): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()}`,
    node: process.version,
    postgres,
    commit: await describeCommit(),
  };
}

/** Of the last minute. Above the number of cores, others compete with the benchmark. */
export function loadAverage(): number {
  return round(loadavg()[0] ?? 0, 2);
}

export function round(value: number, digits = 0): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
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
