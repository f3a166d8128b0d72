import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Processor time in milliseconds, of each part and of the whole machine; 0 without /proc. */
export type ProcessorTimes<Part extends string> = Readonly<Record<Part | 'machine', number>>;

/**
 * Watches the processes of a benchmark's parts. Each call of the returned function gives the times
 * since the previous call. Includes the children of `postgres`.
 */
export async function watchProcessorTimes<Part extends string>(
  pids: Readonly<Record<Part, number>>,
): Promise<() => Promise<ProcessorTimes<Part>>> {
  let before = await readProcessorTimes(pids);
  return async () => {
    const after = await readProcessorTimes(pids);
    const parts = Object.keys(after) as (Part | 'machine')[];
    const used = parts.map((part) => [part, after[part] - before[part]]);
    before = after;
    return Object.fromEntries(used);
  };
}

async function readProcessorTimes<Part extends string>(
  pids: Readonly<Record<Part, number>>,
): Promise<ProcessorTimes<Part>> {
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0);
  const all = await readProcesses();
  const times = Object.entries<number>(pids).map(([part, pid]) => {
    // PostgreSQL may be a child of the service, so only its own children are counted with it.
    return [part, part === 'postgres' ? familyMs(all, pid) : (ownOf(all, pid)?.ms ?? 0)];
  });
  return { ...Object.fromEntries(times), machine };
}

/** A process of this machine, with its processor time so far. */
interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
  /** Processor time of its ended children. */
  readonly endedMs: number;
}

/** Linux reports process times in ticks of 1/100 s (USER_HZ, proc(5)). */
const msPerTick = 10;

/** Ids of a process and its children; empty without /proc. */
export async function familyOf(pid: number): Promise<readonly number[]> {
  return family(await readProcesses(), pid).map((each) => each.pid);
}

async function readProcesses(): Promise<readonly RunningProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  return stats.flatMap((stat, index) => {
    // The name in parentheses may hold any character. It is followed by state, parent, …, utime,
    // stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * msPerTick;
    const endedMs = (Number(fields[13]) + Number(fields[14])) * msPerTick;
    const [pid, parent] = [Number(pids[index]), Number(fields[1])];
    return stat === '' ? [] : [{ pid, parent, ms, endedMs }];
  });
}

function ownOf(all: readonly RunningProcess[], pid: number): RunningProcess | undefined {
  return all.find((each) => each.pid === pid);
}

function family(all: readonly RunningProcess[], pid: number): readonly RunningProcess[] {
  return all.filter((each) => each.pid === pid || each.parent === pid);
}

/** Processor time of a process and its children, also ended ones. */
function familyMs(all: readonly RunningProcess[], pid: number): number {
  const endedMs = ownOf(all, pid)?.endedMs ?? 0;
  return family(all, pid).reduce((sum, { ms }) => sum + ms, endedMs);
}
