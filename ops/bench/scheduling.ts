import { readFileSync } from 'node:fs';

/** What the system gave some processes, in milliseconds of their main threads. */
export interface Scheduling {
  /** On a processor. */
  readonly ran: number;
  /** Ready to run, while others had the processors. */
  readonly waited: number;
}

/** So far; null where the system does not tell (/proc/PID/schedstat is Linux's). */
export function readScheduling(pids: readonly number[]): Scheduling | null {
  try {
    const all = pids.map((pid) => readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' '));
    const sum = (column: number) =>
      all.reduce((total, columns) => total + Number(columns[column]), 0) / 1_000_000;
    return { ran: sum(0), waited: sum(1) };
  } catch {
    return null;
  }
}
