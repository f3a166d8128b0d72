import { familyMs, machineMs, readProcesses } from './processes.ts';

/** Processor time so far, in milliseconds; null where the system has no /proc. */
export interface CpuUse {
  /** This process. */
  readonly client: number;
  /** PostgreSQL: the process given and its children. */
  readonly server: number | null;
  /** All processes of the machine. */
  readonly machine: number;
}

export async function readCpuUse(serverPid: number): Promise<CpuUse> {
  const { user, system } = process.cpuUsage();
  const machine = machineMs();
  const server = familyMs(await readProcesses(), serverPid);
  return { client: (user + system) / 1_000, server, machine };
}
