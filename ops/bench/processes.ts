import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** A process of this machine, with the processor time it has taken so far. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
  /** Of its children that have ended. */
  readonly endedMs: number;
}

/** Linux reports process times in ticks of 1/100 s (USER_HZ, proc(5)). */
const msPerTick = 10;

/** All of them; none where the system has no /proc. */
export async function readProcesses(): Promise<readonly RunningProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  return stats.flatMap((stat, index) => {
    // The name in parentheses may hold anything; after it come state, parent, …, utime, stime,
    // cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * msPerTick;
    const endedMs = (Number(fields[13]) + Number(fields[14])) * msPerTick;
    const [pid, parent] = [Number(pids[index]), Number(fields[1])];
    return stat === '' ? [] : [{ pid, parent, ms, endedMs }];
  });
}

/** The process and its children, of those that were read. */
export function family(all: readonly RunningProcess[], pid: number): readonly RunningProcess[] {
  return all.filter((each) => each.pid === pid || each.parent === pid);
}

/** Processor time of a process and its children, ended ones too; null if there is none. */
export function familyMs(all: readonly RunningProcess[], pid: number): number | null {
  const own = all.find((each) => each.pid === pid);
  if (own === undefined) return null;
  return family(all, pid).reduce((sum, { ms }) => sum + ms, own.endedMs);
}

/** Processor time of the whole machine so far, in milliseconds. */
export function machineMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0);
}
