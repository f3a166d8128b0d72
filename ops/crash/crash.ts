import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUp } from '../bench/harness/clean-up.ts';
import { progress } from '../bench/harness/progress.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { attestationTimes } from './attestation-times.ts';
import { audit } from './audit.ts';
import { type Observation, startCallers } from './callers.ts';
import { killAll } from './kill-all.ts';
import { LoggedHistory } from './logged-history.ts';
import { openAccount } from './open-account.ts';
import { seededRandom } from './seeded-random.ts';
import { type System, type SystemOptions, startSystem } from './system.ts';
import { takeOverTimes } from './take-overs.ts';
import type { Victim } from './victims.ts';
import type { Violation } from './violation.ts';
import { waitFor } from './wait-for.ts';

export interface CrashOptions extends SystemOptions {
  readonly kills: number;
  readonly seed: number;
  readonly callers: number;
  readonly victims: readonly Victim[];
}

export interface CrashReport {
  readonly kills: Readonly<Partial<Record<Victim, number>>>;
  readonly seconds: number;
  readonly violations: readonly Violation[];
  readonly proofs: Readonly<
    Record<'requested' | 'anchored' | 'withdrawn' | 'queued' | 'onLedger', number>
  >;
  readonly [field: string]: unknown;
}

const settlesWithinMs = 60_000;
const lookAgainMs = 500;
const thawsWithinMs = 30_000;

/**
 * Kills services, PostgreSQL and the ledger repeatedly under load; then audits. The seed determines
 * victims and pauses; the effects depend on the machine.
 */
export async function crash(options: CrashOptions, cleanUp: CleanUp): Promise<CrashReport> {
  const { seed, services, callers, rippled } = options;
  const system = await startSystem(options, cleanUp);
  const publisherKeys = system.validatorLists.map(({ publisherKey }) => publisherKey);
  const account = await withSession(system, openAccount);
  const posting = startCallers({ ...account, address: system.address }, callers, seed);
  const startedAt = performance.now();
  const kills = await killAll(system, seededRandom(seed), options);
  for (const server of system.servers) server.behave();
  const thawed = () => (system.services.some((service) => service.frozen()) ? null : true);
  await waitFor('no service is frozen', thawed, thawsWithinMs);
  await system.ready();
  await delay(1_000);
  await posting.stop();
  await system.ready();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { observations, reports } = posting;
  progress(`Waiting until everything is settled, after ${observations.length} answers`);
  const { log, settledMs, attestedMs } = await withSession(system, (session) =>
    settle(session, publisherKeys.length > 0),
  );
  const ledger = await system.readHistory();
  const { proofs, transactions, taken } = log;
  const { ledgers, attestations, lists } = log.attesting;
  const attesting = { ledgers, attestations, lists, publisherKeys };
  const evidence = { observations, reports, proofs, transactions, taken, ledger, attesting };
  const takeOvers = (victim: Victim) => {
    const losses = kills.filter((one) => one.victim === victim && one.calm);
    return summary(takeOverTimes(losses, taken), losses.length);
  };
  return {
    seed,
    ledger: rippled === null ? 'standalone ledger' : 'rippled',
    services,
    callers,
    seconds,
    kills: countBy(kills, ({ victim }) => victim),
    settledAfterMs: settledMs,
    attestedAfterMs: attestedMs,
    attesting: attestationTimes(ledgers),
    starts: system.services.map((service) => service.starts()),
    takeOverMs: { killed: takeOvers('service'), frozen: takeOvers('frozen service') },
    answers: countBy(observations, wordOf),
    reports: countBy(reports, ({ blockchainStatus }) => blockchainStatus),
    proofs: {
      requested: proofs.length,
      anchored: proofs.filter(({ anchored }) => anchored.length > 0).length,
      withdrawn: proofs.filter(({ withdrawnAt }) => withdrawnAt !== null).length,
      queued: proofs.filter(({ queuedAt }) => queuedAt !== null).length,
      onLedger: ledger.flatMap(({ sent }) => sent.filter(({ memo }) => memo !== null)).length,
    },
    transactions: countBy(transactions, ({ proofId, outcome }) =>
      proofId === null ? `gap fill ${outcome}` : outcome,
    ),
    violations: audit(evidence),
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

/**
 * Waits until every proof and transaction is settled, and every anchored proof attested; each time
 * up to `settlesWithinMs`. The audit reports the others.
 */
async function settle(
  session: OperatorSession,
  hasValidators: boolean,
): Promise<{
  readonly log: LoggedHistory;
  readonly settledMs: number;
  readonly attestedMs: number;
}> {
  const log = new LoggedHistory();
  const until = async (isDone: () => boolean) => {
    const startedAt = performance.now();
    for (;;) {
      await log.catchUp(session.store);
      const ms = Math.round(performance.now() - startedAt);
      if (isDone() || ms > settlesWithinMs) return ms;
      await delay(lookAgainMs);
    }
  };
  const settledMs = await until(() => log.isSettled);
  const attestedMs = await until(() => !hasValidators || log.attesting.areAttested);
  return { log, settledMs, attestedMs };
}

function wordOf({ status, code }: Observation): string {
  return status === null ? 'none' : `${status} ${code ?? ''}`.trimEnd();
}

function countBy<Item, Key extends string>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Readonly<Partial<Record<Key, number>>> {
  const groups = [...Map.groupBy(items, keyOf)].map(([key, group]) => [key, group.length]);
  return Object.fromEntries(groups) as Partial<Record<Key, number>>;
}

/** Summarises ascending times; the other take-overs were interrupted. */
function summary(times: readonly number[], all: number) {
  const median = times[Math.floor(times.length / 2)] ?? null;
  return {
    ended: times.length,
    interrupted: all - times.length,
    median,
    most: times.at(-1) ?? null,
  };
}
