import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../bench/progress.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { System } from './system.ts';
import type { Loss } from './take-overs.ts';
import { kill, type Victim, victims } from './victims.ts';

export interface Kill extends Loss {
  readonly victim: Victim;
  /** Everything was ready before. */
  readonly calm: boolean;
}

const share = { amidRecovery: 0.25, waitedFor: 0.5 } as const;
const takeOverMs = 10_500;
/** Where it never is, as PostgreSQL's sessions outside of Linux, the others take its turns. */
const missesOfOneRound = 10;

/** Kills one after the other; each victim comes up equally often. One that is away comes up later. */
export async function killAll(
  system: System,
  random: SeededRandom,
  count: number,
): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  let due: Victim[] = [];
  let missed = 0;
  while (kills.length < count) {
    const victim = due.shift();
    if (victim === undefined) {
      due = random.shuffle(victims);
      missed = 0;
      continue;
    }
    const amidRecovery = random.next() < share.amidRecovery;
    const pauseMs = amidRecovery ? random.between(0, 700) : random.between(300, 2_500);
    if (!amidRecovery) await system.ready();
    await delay(pauseMs);
    const calm = !amidRecovery && system.services.every((service) => !service.frozen());
    const at = Date.now();
    if (!(await kill(victim, system, random))) {
      missed += 1;
      if (missed < missesOfOneRound) due.push(victim);
      continue;
    }
    const last = kills.pop();
    if (last !== undefined) kills.push({ ...last, until: at });
    kills.push({ victim, at, until: Number.POSITIVE_INFINITY, calm });
    progress(`kill ${kills.length} of ${count}: ${victim}`);
    // Half of the frozen ones are replaced in peace, the others while more is killed.
    if (victim === 'frozen service' && random.next() < share.waitedFor) await delay(takeOverMs);
  }
  return kills;
}
