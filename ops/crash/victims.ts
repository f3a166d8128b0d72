import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { readPostmasterFile } from '../../src/embedded/postgres/postmaster.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { System } from './system.ts';

export const victims = [
  'service',
  'postgres',
  'postgres session',
  'ledger',
  'ledger connection',
] as const;
export type Victim = (typeof victims)[number];

/** Kills it with SIGKILL, or cuts the connection; false where there was nothing to kill. */
export async function kill(victim: Victim, system: System, random: SeededRandom): Promise<boolean> {
  const awayMs = random.between(0, 1_500);
  const choice = random.next();
  switch (victim) {
    case 'service':
      return system.service.kill(awayMs);
    case 'ledger':
      return system.ledger.kill(awayMs);
    case 'ledger connection':
      return system.proxy.sever() > 0;
    case 'postgres':
      return sendKill(await postmasterOf(system.dataDir));
    case 'postgres session': {
      const sessions = await childrenOf(await postmasterOf(system.dataDir));
      return sendKill(sessions[Math.floor(choice * sessions.length)]);
    }
  }
}

async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const connection = await readConnection(dataDir);
  if (connection === undefined) return undefined;
  return (await readPostmasterFile(resolve(dataDir, connection.cluster)))?.pid;
}

/** The processes of PostgreSQL's sessions and its workers; of Linux only, elsewhere none. */
async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  if (pid === undefined) return [];
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
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
