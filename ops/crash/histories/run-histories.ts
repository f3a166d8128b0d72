import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUp } from '../../bench/harness/clean-up.ts';
import { progress } from '../../bench/harness/progress.ts';
import type { OperatorSession } from '../../session/operator-session.ts';
import { openWith } from '../open-account.ts';
import { seededRandom } from '../seeded-random.ts';
import { type System, type SystemOptions, startSystem } from '../system.ts';
import type { Victim } from '../victims.ts';
import { waitFor } from '../wait-for.ts';
import type { Anomaly } from './anomaly.ts';
import { checkHistories } from './check-histories.ts';
import { startClients } from './clients.ts';
import { type Disturbances, disturb } from './disturb.ts';
import { factsOf, type ProofFact } from './proof-fact.ts';
import type { RecordedCall } from './recorded-call.ts';
import { tooFewAnswers } from './too-few-answers.ts';

export interface HistoryOptions extends SystemOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly organisations: number;
  /** Clients of each organisation. */
  readonly clients: number;
  /** Calls a second of all clients together. */
  readonly rate: number;
  readonly victims: readonly Victim[];
  /** Longest pause between two disturbances. */
  readonly pauseMs: number;
  /** File for the calls and the facts of the log as JSON; null for none. */
  readonly keep: string | null;
}

export interface HistoryReport extends Disturbances {
  readonly seed: number;
  readonly seconds: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly facts: number;
  readonly starts: readonly number[];
  readonly checkedInMs: number;
  /** Reason why the run proves too little; null if it had enough answers. */
  readonly tooFewAnswers: string | null;
  readonly anomalies: readonly Anomaly[];
}

/** A recorded history, as `keep` writes it. */
export interface KeptHistory {
  readonly calls: readonly RecordedCall[];
  readonly facts: readonly ProofFact[];
}

/** Share of calls that may go to a frozen service. */
const patience = 0.1;
const thawsWithinMs = 30_000;
const pageSize = 1_000;

/**
 * Lets clients post, ask, list and search while services, servers and read models change places.
 * Then decides for every answer if the event log allows it.
 */
export async function runHistories(
  options: HistoryOptions,
  cleanUp: CleanUp,
): Promise<HistoryReport> {
  const { minutes, seed, organisations, clients, rate, victims, pauseMs, keep } = options;
  const system = await startSystem(options, cleanUp);
  const session = await system.openSession();
  const accounts = [];
  for (let count = 0; count < organisations; count += 1) {
    const { keys, ...opened } = await openWith(session, { workspaceCount: 2, keyCount: clients });
    accounts.push(...keys.map((key) => ({ ...opened, key })));
  }
  await session.close();
  const startedAt = performance.now();
  const until = startedAt + minutes * 60_000;
  const running = startClients({ accounts, address: addressOf(system), seed, rate });
  const random = seededRandom(seed);
  const disturbances = await disturb(system, random, { victims, until, pauseMs });
  const thawed = () => (system.services.some((service) => service.frozen()) ? null : true);
  await waitFor('no service is frozen', thawed, thawsWithinMs);
  await system.ready();
  await delay(1_000);
  await running.stop();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { calls } = running;
  progress(`Reading the log, after ${calls.length} calls`);
  const reading = await system.openSession();
  const facts = await readFacts(reading.store).finally(() => reading.close());
  if (keep !== null) await writeFile(keep, JSON.stringify({ calls, facts } satisfies KeptHistory));
  const checkedAt = performance.now();
  const anomalies = checkHistories(calls, facts);
  const checkedInMs = Math.round(performance.now() - checkedAt);
  return {
    seed,
    seconds,
    calls: countCalls(calls),
    facts: facts.length,
    ...disturbances,
    starts: system.services.map((service) => service.starts()),
    checkedInMs,
    tooFewAnswers: tooFewAnswers(calls, { seconds, rate }),
    anomalies,
  };
}

/** Some calls go to a frozen service too: it answers from a moment long past, or never. */
function addressOf({ services, address }: Pick<System, 'services' | 'address'>) {
  return (choice: number): string | null => {
    const isPatient = (choice * 1_000) % 1 < patience;
    const frozen = services.find((service) => service.frozen())?.found() ?? null;
    return isPatient && frozen !== null ? frozen : address(choice);
  };
}

/** Reads all facts of the log. Throws if its positions have a gap. */
export async function readFacts(
  store: Pick<OperatorSession['store'], 'readLog'>,
): Promise<readonly ProofFact[]> {
  const facts: ProofFact[] = [];
  for (let position = 0; ; ) {
    const events = await store.readLog(position, pageSize);
    if (events.length === 0) return facts;
    for (const event of events) {
      if (event.position !== position + 1) throw new Error(`the log has no event ${position + 1}`);
      position = event.position;
      facts.push(...factsOf(event));
    }
  }
}

/** Numbers of calls by kind and answer, such as `list page`. */
function countCalls(calls: readonly RecordedCall[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(calls, ({ request, answer }) => {
    const code = answer.kind === 'refused' ? ` ${answer.code ?? answer.status}` : '';
    const status = answer.kind === 'proof' ? ` ${answer.status}` : '';
    return `${request.kind} ${answer.kind}${status}${code}`;
  });
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length]));
}
