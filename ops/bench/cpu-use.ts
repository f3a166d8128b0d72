import { family, machineMs, readProcesses } from './processes.ts';

/** Processor time so far, in milliseconds; null where the system has no /proc. */
export interface CpuUse {
  /** This process. */
  readonly client: number;
  /** PostgreSQL: the process given and its children. */
  readonly server: number | null;
  /** All processes of the machine. */
  readonly machine: number;
}

/** Processes of the server that have ended meanwhile are missing: compare while they live. */
export async function readCpuUse(serverPid: number): Promise<CpuUse> {
  const { user, system } = process.cpuUsage();
  const machine = machineMs();
  const server = family(await readProcesses(), serverPid);
  return {
    client: (user + system) / 1_000,
    server: server.length === 0 ? null : server.reduce((sum, { ms }) => sum + ms, 0),
    machine,
  };
}
