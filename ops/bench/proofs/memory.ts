import { round } from '../harness/figures.ts';
import { residentMib } from '../harness/memory.ts';
import { familyOf } from '../harness/processor-times.ts';

export interface MemorySummary {
  /** First sample. All sizes are in MiB. */
  readonly first: number;
  readonly last: number;
  readonly max: number;
  /** Slope of the line through the samples (least squares), in MiB per minute. */
  readonly slopePerMinute: number;
  /**
   * Highest sample of the last third, as a multiple of the highest before. Memory grows between
   * garbage collections, which come about every ten seconds, so a line through few samples
   * misleads. A leak raises the peaks.
   */
  readonly peakGrowth: number;
}

export interface MemoryPids {
  readonly service: number;
  /** Main process; its children are included. */
  readonly postgres: number;
  readonly ledger: number;
}

/** MiB of each part. */
export type Memory = Readonly<Record<keyof MemoryPids, number>>;

/** Samples once a second until the returned function is called; empty without /proc. */
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

/** Present memory of each part. */
export async function readMemory({ service, postgres, ledger }: MemoryPids): Promise<Memory> {
  return {
    service: await residentMib([service]),
    postgres: await residentMib(await familyOf(postgres)),
    ledger: await residentMib([ledger]),
  };
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
