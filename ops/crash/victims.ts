import { readFile } from 'node:fs/promises';
import type { Misbehaviour } from './faulty-server.ts';
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
  'lying server',
  'silent server',
  'lagging server',
] as const;

/** Victims of a system with a primary and a synchronous standby. */
export const standbyVictims = ['primary', 'standby'] as const;

export type Victim = (typeof victims)[number] | (typeof standbyVictims)[number];

/**
 * Kills a process with SIGKILL, freezes a service for longer than its locks live, cuts connections,
 * lets one of the ledger's servers misbehave, or lets primary and standby change places. Resolves
 * with false if the victim was not running.
 */
export async function kill(victim: Victim, system: System, random: SeededRandom): Promise<boolean> {
  const { services, servers, postgres, replicated, killLedger, proxies } = system;
  const awayMs = random.between(0, 1_500);
  const frozenMs = random.between(9_000, 14_000);
  const misbehaveMs = random.between(2_000, 12_000);
  const choice = random.next();
  const service = services[Math.floor(choice * services.length)];
  const misbehave = (how: Misbehaviour) => {
    // One server at a time.
    for (const server of servers) server.behave();
    servers[Math.floor(choice * servers.length)]?.misbehave(how, misbehaveMs);
    return true;
  };
  switch (victim) {
    case 'service':
      return service?.kill(awayMs) ?? false;
    case 'frozen service':
      // Freeze one service at a time, so that another one can take over.
      if (services.some((other) => other.frozen())) return false;
      return service?.freeze(frozenMs) ?? false;
    case 'postgres':
      return postgres?.kill(awayMs) ?? false;
    case 'postgres session': {
      const sessions = await sessionsOf(postgres?.pid() ?? replicated?.pid() ?? null);
      return sendKill(sessions[Math.floor(choice * sessions.length)]);
    }
    case 'postgres connection':
      return proxies.postgres?.severOne(choice) ?? false;
    case 'primary':
      // Every second time the old primary comes back as it was.
      await replicated?.failOver(awayMs, choice < 0.5 ? 500 + awayMs : 0);
      return replicated !== null;
    case 'standby':
      await replicated?.loseStandby(awayMs);
      return replicated !== null;
    case 'ledger':
      return killLedger(awayMs);
    case 'ledger connections':
      return proxies.ledger.severAll();
    case 'lying server':
      return misbehave('lying');
    case 'silent server':
      return misbehave('silent');
    case 'lagging server':
      return misbehave('lagging');
  }
}

/**
 * Process ids of PostgreSQL's client sessions; on Linux only, empty elsewhere. Excludes
 * PostgreSQL's own background processes, whose loss during recovery this project does not test.
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
    // The process has just ended.
    return false;
  }
}
