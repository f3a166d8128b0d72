import { readFile } from 'node:fs/promises';
import { round } from './machine.ts';

export interface ResidentMemory {
  /** MiB, as is all of it; when the watch began. */
  readonly first: number;
  readonly max: number;
  /** Of the most that was seen, what is the process's own and not a file's. */
  readonly maxAnonymous: number;
  readonly samples: number;
}

const everyMs = 50;

/** Watches what one process has in RAM (VmRSS and RssAnon of proc(5)), closely. */
export function watchResidentMemory(pid: number): () => ResidentMemory {
  const resident: number[] = [];
  const anonymous: number[] = [];
  const timer = setInterval(async () => {
    const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const mib = (name: string) => {
      const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
      return Number(kib ?? 0) / 1_024;
    };
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
