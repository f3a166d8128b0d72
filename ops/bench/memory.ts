import { readFile } from 'node:fs/promises';
import { round } from './machine.ts';
import { family, readProcesses } from './processes.ts';

export interface MemorySummary {
  /** In MiB, as is all of it. */
  readonly first: number;
  readonly last: number;
  readonly max: number;
  /** Of the straight line through the samples (least squares), MiB per minute. */
  readonly slopePerMinute: number;
  /**
   * Highest sample of the last third, as a multiple of the highest before. Garbage is collected
   * every ten seconds or so: between, memory climbs, so a line through few samples misleads. What
   * leaks lifts the peaks.
   */
  readonly peakGrowth: number;
}

export interface MemoryPids {
  readonly service: number;
  /** Counted with its children. */
  readonly postgres: number;
  readonly ledger: number;
}

/** MiB of each part. */
export type Memory = Readonly<Record<keyof MemoryPids, number>>;

/** Samples once a second until it is stopped; empty where the system has no /proc. */
export function watchMemory(pids: MemoryPids): () => Record<keyof MemoryPids, MemorySummary> {
  const samples: Memory[] = [];
  const timer = setInterval(() => {
    readMemory(pids).then(
      (memory) => samples.push(memory),
      () => {},
    );
  }, 1_000);
  return () => {
    clearInterval(timer);
    return {
      service: summarise(samples.map(({ service }) => service)),
      postgres: summarise(samples.map(({ postgres }) => postgres)),
      ledger: summarise(samples.map(({ ledger }) => ledger)),
    };
  };
}

/** As it is now. */
export async function readMemory({ service, postgres, ledger }: MemoryPids): Promise<Memory> {
  const processes = family(await readProcesses(), postgres).map(({ pid }) => pid);
  return {
    service: await residentMib([service]),
    postgres: await residentMib(processes),
    ledger: await residentMib([ledger]),
  };
}

/** Memory in RAM, what the processes share counted once (RssAnon, RssFile, RssShmem of proc(5)). */
async function residentMib(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  );
  const kib = (name: string) =>
    texts.map((text) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0));
  const own = kib('RssAnon').reduce((sum, value) => sum + value, 0);
  return round((own + Math.max(...kib('RssFile')) + Math.max(...kib('RssShmem'))) / 1_024, 1);
}

function summarise(samples: readonly number[]): MemorySummary {
  const third = Math.ceil((samples.length * 2) / 3);
  return {
    first: samples[0] ?? 0,
    last: samples.at(-1) ?? 0,
    max: Math.max(0, ...samples),
    slopePerMinute: slopePerMinute(samples),
    peakGrowth: round(Math.max(...samples.slice(third)) / Math.max(...samples.slice(0, third)), 3),
  };
}

function slopePerMinute(samples: readonly number[]): number {
  if (samples.length < 2) return 0;
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const rise = samples.reduce((sum, value, second) => sum + (second - middle) * (value - mean), 0);
  const run = samples.reduce((sum, _, second) => sum + (second - middle) ** 2, 0);
  return round((rise / run) * 60, 1);
}
