import { readFile } from 'node:fs/promises';
import { round } from './figures.ts';

export interface ResidentMemory {
  /** Resident memory at the start of the watch. All sizes are in MiB. */
  readonly first: number;
  readonly max: number;
  /** Highest sample of anonymous memory, which excludes pages of files. */
  readonly maxAnonymous: number;
  readonly samples: number;
}

const everyMs = 50;

/** Samples the resident memory of a process every 50 ms (VmRSS and RssAnon of proc(5)). */
export function watchResidentMemory(pid: number): () => ResidentMemory {
  const resident: number[] = [];
  const anonymous: number[] = [];
  const timer = setInterval(async () => {
    const mib = await readStatus(pid);
    resident.push(mib('VmRSS'));
    anonymous.push(mib('RssAnon'));
  }, everyMs);
  return () => {
    clearInterval(timer);
    return {
      first: round(resident[0] ?? 0, 1),
      max: round(Math.max(0, ...resident), 1),
      maxAnonymous: round(Math.max(0, ...anonymous), 1),
      samples: resident.length,
    };
  };
}

/**
 * Resident memory of several processes in MiB, shared memory counted once (RssAnon, RssFile,
 * RssShmem of proc(5)).
 */
export async function residentMib(pids: readonly number[]): Promise<number> {
  const all = await Promise.all(pids.map(readStatus));
  const mib = (name: string) => all.map((each) => each(name));
  const own = mib('RssAnon').reduce((sum, value) => sum + value, 0);
  return round(own + Math.max(...mib('RssFile')) + Math.max(...mib('RssShmem')), 1);
}

/** Sizes by name, in MiB; 0 for a missing one, or without /proc. */
async function readStatus(pid: number): Promise<(name: string) => number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1_024;
}
