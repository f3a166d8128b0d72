import { familyMs, machineMs, readProcesses } from './processes.ts';

/** The processes of what is measured. */
export interface Pids {
  readonly service: number;
  /** Counted with its children. */
  readonly postgres: number;
  readonly ledger: number;
  readonly callers: number;
}

/** Processor time in milliseconds, of each part and of the whole machine; 0 without /proc. */
export type ProcessorTimes = Readonly<Record<keyof Pids | 'machine', number>>;

export async function readProcessorTimes(pids: Pids): Promise<ProcessorTimes> {
  const machine = machineMs();
  const all = await readProcesses();
  // The database may be a child of the service, so that only its own children are counted with it.
  const own = (pid: number) => all.find((each) => each.pid === pid)?.ms ?? 0;
  return {
    service: own(pids.service),
    postgres: familyMs(all, pids.postgres) ?? 0,
    ledger: own(pids.ledger),
    callers: own(pids.callers),
    machine,
  };
}

export function timesBetween(before: ProcessorTimes, after: ProcessorTimes): ProcessorTimes {
  return {
    service: after.service - before.service,
    postgres: after.postgres - before.postgres,
    ledger: after.ledger - before.ledger,
    callers: after.callers - before.callers,
    machine: after.machine - before.machine,
  };
}
