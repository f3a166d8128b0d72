import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../bench/harness/progress.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { System } from './system.ts';
import type { Loss } from './take-overs.ts';
import { kill, type Victim } from './victims.ts';

export interface Kill extends Loss {
  readonly victim: Victim;
  /** True if every service was ready before. */
  readonly calm: boolean;
}

const share = { amidRecovery: 0.25, waitedFor: 0.5 } as const;
const takeOverMs = 10_500;
/**
 * Failed attempts in one round after which a victim is skipped, such as PostgreSQL's sessions
 * outside Linux, which never exist.
 */
const missesOfOneRound = 10;

/**
 * Kills one victim after the other, each equally often. A victim that is not running is tried again
 * later.
 */
export async function killAll(
  system: System,
  random: SeededRandom,
  { kills: count, victims }: { readonly kills: number; readonly victims: readonly Victim[] },
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
    progress(`Kill ${kills.length} of ${count}: ${victim}`);
    // Half of the frozen services are replaced undisturbed, the others during further kills.
    if (victim === 'frozen service' && random.next() < share.waitedFor) await delay(takeOverMs);
  }
  return kills;
}
