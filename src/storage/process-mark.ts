import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names a process, so that leftovers of dead processes are distinguishable from those of live ones,
 * also on a disk shared by machines or containers. A process in another pid namespace or boot is
 * unknown and does not count as dead.
 */
export const processMark = {
  ofThisProcess: (): string => `${world}-${process.pid}`,

  isDead(mark: string): boolean {
    const pid = mark.startsWith(`${world}-`) ? Number(mark.slice(world.length + 1)) : Number.NaN;
    return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid);
  },
};

/** Scope in which process ids are comparable: one boot of a kernel and one pid namespace. */
const world = worldOfProcessIds();

function worldOfProcessIds(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
    return `${boot}-${namespace}`;
  } catch {
    // Not Linux: containers do not share the host's name there.
    return hostname();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
