import { readFile } from 'node:fs/promises';
import type { SeededRandom } from './seeded-random.ts';
import type { System } from './system.ts';

export const victims = [
  'service',
  'frozen service',
  'postgres',
  'postgres session',
  'postgres connection',
  'ledger',
  'ledger connections',
] as const;
export type Victim = (typeof victims)[number];

/**
 * Kills it with SIGKILL, freezes it for longer than its locks live, or cuts the connection; false
 * where there was nothing to kill.
 */
export async function kill(victim: Victim, system: System, random: SeededRandom): Promise<boolean> {
  const { services, postgres, ledger, proxies } = system;
  const awayMs = random.between(0, 1_500);
  const frozenMs = random.between(9_000, 14_000);
  const choice = random.next();
  const service = services[Math.floor(choice * services.length)];
  switch (victim) {
    case 'service':
      return service?.kill(awayMs) ?? false;
    case 'frozen service':
      // One at a time, so that another one can take over.
      if (services.some((other) => other.frozen())) return false;
      return service?.freeze(frozenMs) ?? false;
    case 'postgres':
      return postgres.kill(awayMs);
    case 'postgres session': {
      const sessions = await sessionsOf(postgres.pid());
      return sendKill(sessions[Math.floor(choice * sessions.length)]);
    }
    case 'postgres connection':
      return proxies.postgres.severOne(choice);
    case 'ledger':
      return ledger.kill(awayMs);
    case 'ledger connections':
      return proxies.ledger.severAll();
  }
}

/**
 * The processes of PostgreSQL's sessions; of Linux only, elsewhere none. Not those of its own work:
 * whether it survives that they are killed while it recovers is no question to this project.
 */
async function sessionsOf(pid: number | null): Promise<readonly number[]> {
  if (pid === null) return [];
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(file, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  const titles = await Promise.all(
    children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return children.filter((_, index) => titles[index]?.includes(' 127.0.0.1('));
}

function sendKill(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
    return false;
  }
}
