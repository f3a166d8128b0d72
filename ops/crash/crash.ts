import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUp } from '../bench/clean-up.ts';
import { progress } from '../bench/progress.ts';
import type { OperatorSession } from '../operator-session.ts';
import { audit, type Violation } from './audit.ts';
import { type Observation, startCallers } from './callers.ts';
import { readLedgerProofs } from './ledger-history.ts';
import { isSettled, type LoggedProof, readLoggedProofs } from './logged-proofs.ts';
import { openAccount } from './open-account.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { type System, startSystem } from './system.ts';
import { kill, type Victim, victims } from './victims.ts';

export interface CrashOptions {
  readonly kills: number;
  readonly seed: number;
  readonly callers: number;
}

export interface CrashReport {
  readonly violations: readonly Violation[];
  readonly [field: string]: unknown;
}

const settlesWithinMs = 60_000;
const lookAgainMs = 500;

/**
 * Kills what the service is made of, again and again, under load; then audits. The seed fixes
 * victims and pauses; what they hit depends on the machine.
 */
export async function crash(options: CrashOptions, cleanUp: CleanUp): Promise<CrashReport> {
  const { seed, callers } = options;
  const random = seededRandom(seed);
  const system = await startSystem(cleanUp);
  const account = await withSession(system, openAccount);
  const posting = startCallers({ ...account, address: system.service.found }, callers, seed);
  const startedAt = performance.now();
  const kills = await killAll(system, random, options.kills);
  await system.ready();
  await delay(1_000);
  await posting.stop();
  await system.ready();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  progress(`settling after ${posting.observations.length} answers`);
  const { logged, ms } = await withSession(system, settle);
  const onLedger = await readLedgerProofs(system.ledgerUrl, system.accounts);
  return {
    seed,
    kills,
    callers,
    seconds,
    settledAfterMs: ms,
    starts: { service: system.service.starts(), ledger: system.ledger.starts() },
    answers: countAnswers(posting.observations),
    proofs: {
      requested: logged.length,
      anchored: logged.filter(({ anchored }) => anchored.length > 0).length,
      withdrawn: logged.filter(({ withdrawnAt }) => withdrawnAt !== null).length,
      signedAgain: logged.filter(({ prepared }) => prepared.length > 1).length,
      onLedger: onLedger.length,
    },
    violations: audit({ observations: posting.observations, logged, onLedger }),
  };
}

async function withSession<Result>(
  system: System,
  work: (session: OperatorSession) => Promise<Result>,
): Promise<Result> {
  const session = await system.openSession();
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function killAll(system: System, random: SeededRandom, count: number) {
  const killed: Record<Victim, number> = Object.fromEntries(
    victims.map((victim) => [victim, 0]),
  ) as Record<Victim, number>;
  for (let done = 0; done < count; ) {
    const victim = random.pick(victims);
    // Some hit what is just coming up again.
    if (random.next() < 0.25) await delay(random.between(0, 700));
    else {
      await system.ready();
      await delay(random.between(300, 2_500));
    }
    if (!(await kill(victim, system, random))) continue;
    done += 1;
    killed[victim] += 1;
    progress(`kill ${done} of ${count}: ${victim}`);
  }
  return killed;
}

/** Waits, within bounds, until no proof's fate is open; the audit tells of those that stay so. */
async function settle(
  session: OperatorSession,
): Promise<{ readonly logged: readonly LoggedProof[]; readonly ms: number }> {
  const startedAt = performance.now();
  for (;;) {
    const logged = await readLoggedProofs(session.store);
    const ms = Math.round(performance.now() - startedAt);
    if (logged.every(isSettled) || ms > settlesWithinMs) return { logged, ms };
    await delay(lookAgainMs);
  }
}

function countAnswers(observations: readonly Observation[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, code } of observations) {
    const word = status === null ? 'none' : `${status} ${code ?? ''}`.trimEnd();
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
