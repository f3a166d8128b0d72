import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names a process so that its leftovers can be told from those of a living one, also on a disk that
 * several machines or containers share: of a process in another world of process ids nothing is
 * known, and it does not count as dead.
 */
export const processMark = {
  ofThisProcess: (): string => `${world}-${process.pid}`,

  isDead(mark: string): boolean {
    const pid = mark.startsWith(`${world}-`) ? Number(mark.slice(world.length + 1)) : Number.NaN;
    return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid);
  },
};

/** In which process ids have the same meaning: a boot of a kernel and a pid namespace in it. */
const world = worldOfProcessIds();

function worldOfProcessIds(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
    return `${boot}-${namespace}`;
  } catch {
    // Not Linux: no containers that share a host's name.
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
