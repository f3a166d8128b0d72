import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Processor time so far, in milliseconds; null where the system has no /proc. */
export interface CpuUse {
  /** This process. */
  readonly client: number;
  /** PostgreSQL: the process given and its children. */
  readonly server: number | null;
  /** The service, where one was given. */
  readonly service: number | null;
  /** All processes of the machine. */
  readonly machine: number;
}

/** Linux reports process times in ticks of 1/100 s (USER_HZ, proc(5)). */
const msPerTick = 10;

/** Processes of the server that have ended meanwhile are missing: compare while they live. */
export async function readCpuUse(serverPid: number, servicePid?: number): Promise<CpuUse> {
  const { user, system } = process.cpuUsage();
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0);
  const all = await readProcesses();
  const timeOf = (pids: readonly number[]) => {
    const found = all.filter(({ pid }) => pids.includes(pid));
    return found.length === 0 ? null : found.reduce((sum, { ticks }) => sum + ticks * msPerTick, 0);
  };
  return {
    client: (user + system) / 1_000,
    server: timeOf(family(all, serverPid)),
    service: servicePid === undefined ? null : timeOf([servicePid]),
    machine,
  };
}

/** The process and its children. */
export async function familyOf(pid: number): Promise<number[]> {
  return family(await readProcesses(), pid);
}

function family(all: readonly Process[], pid: number): number[] {
  return all.filter((each) => each.pid === pid || each.parent === pid).map((each) => each.pid);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

async function readProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  return stats.flatMap((stat, index) => {
    // The name in parentheses may hold anything; after it come state, parent, …, utime, stime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return stat === '' ? [] : [{ pid: Number(pids[index]), parent: Number(fields[1]), ticks }];
  });
}
