import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../../bench/harness/progress.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { System } from '../system.ts';
import { kill, type Victim } from '../victims.ts';
import { type RebuildOutcome, rebuild } from './rebuild.ts';

export interface Disturbances {
  readonly kills: Readonly<Partial<Record<Victim, number>>>;
  readonly rebuilds: Readonly<Record<RebuildOutcome, number>>;
}

interface Options {
  readonly victims: readonly Victim[];
  /** When the last disturbance may begin, as `performance.now()`. */
  readonly until: number;
  /** Longest pause between two disturbances. */
  readonly pauseMs: number;
}

const amidRecovery = 0.25;

/**
 * Kills one victim after the other, and rebuilds a projection once in each round of victims. In a
 * quarter of the rounds the rebuild goes on while the next victim is killed.
 */
export async function disturb(
  system: System,
  random: SeededRandom,
  { victims, until, pauseMs }: Options,
): Promise<Disturbances> {
  const kills: Partial<Record<Victim, number>> = {};
  const rebuilds = { swapped: 0, different: 0, failed: 0 };
  let rebuilding = Promise.resolve();
  let due: (Victim | 'rebuild')[] = [];
  while (performance.now() < until) {
    const next = due.shift();
    if (next === undefined) {
      due = random.shuffle([...victims, 'rebuild' as const]);
      continue;
    }
    const isCalm = random.next() >= amidRecovery;
    if (isCalm) await system.ready();
    await delay(isCalm ? random.between(1_000, pauseMs) : random.between(0, 700));
    if (next === 'rebuild') {
      await rebuilding;
      const counted = rebuild(system.env, random).then((outcome) => {
        rebuilds[outcome] += 1;
      });
      rebuilding = counted;
      if (random.next() >= amidRecovery) await counted;
    } else if (await kill(next, system, random)) {
      kills[next] = (kills[next] ?? 0) + 1;
      progress(`Killed: ${next}`);
    }
  }
  await rebuilding;
  return { kills, rebuilds };
}
