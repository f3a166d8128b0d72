import { setTimeout as delay } from 'node:timers/promises';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../src/event-store/event-store.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { openBenchLog } from './harness/bench-log.ts';
import { benchmark, count } from './harness/benchmark.ts';
import { round } from './harness/figures.ts';
import { closedLoop, type Latencies } from './harness/latencies.ts';
import { describeDisk } from './harness/machine.ts';
import { watchProcessorTimes } from './harness/processor-times.ts';
import { progress } from './harness/progress.ts';
import { createRequestedEvents } from './samples/requested-events.ts';

/** `ratio` refers to the faster variant with one transaction per event. */
const target = { eventsPerSecond: 15_000, ratio: 4 } as const;
const warmUpMs = 2_500;
const pauseMs = 250;

/**
 * Compares coalesced appends of single events with one transaction per event, alternately on the
 * same durable database. PostgreSQL is the server; the callers are in this process. All variants
 * run the same code. For coalesced appends, all callers share one event store. For one transaction
 * per event, each caller has its own event store, so that nothing can be coalesced.
 */
export const append = benchmark({
  name: 'append',
  description: 'coalesced appends compared with one transaction per event',
  options: {
    callers: count('concurrent callers', 32),
    seconds: count('measured seconds of each variant', 12),
    rounds: count('rounds in which the variants take turns', 4),
  },
  async measure({ callers, seconds, rounds }, cleanUp) {
    const log = await openBenchLog(cleanUp, { maxConnections: callers });
    const { dataDir, postgres, store, newStore } = log;
    const disk = await describeDisk(dataDir);
    const serverPid = postgres.pid;
    const organisationId = newUlid() as OrganisationId;
    await store.createKeys(organisationId);
    const next = createRequestedEvents(organisationId);
    const ownStores = Array.from({ length: callers }, newStore);
    const variants: readonly AppendVariant[] = [
      {
        name: 'coalesced',
        stores: Array.from({ length: callers }, () => store),
        runs: [],
        acknowledged: 0,
      },
      { name: 'oneTransactionPerEvent', stores: ownStores, runs: [], acknowledged: 0 },
      { name: 'oneCaller', stores: [store], runs: [], acknowledged: 0 },
    ];

    for (const variant of variants) {
      progress(`Warming up: ${variant.name}`);
      await runAppenders(variant, next, { ms: warmUpMs, serverPid });
    }
    const ms = (seconds * 1_000) / rounds;
    for (let number = 1; number <= rounds; number += 1) {
      for (const variant of variants) {
        await delay(pauseMs);
        const run = await runAppenders(variant, next, { ms, serverPid });
        variant.runs.push(run);
        progress(
          `Round ${number} of ${rounds}, ${variant.name}: ${Math.round(run.perSecond)} events/s`,
        );
      }
    }

    const [coalesced, single, oneCaller] = variants.map(summarise);
    if (!coalesced || !single || !oneCaller) throw new Error('unreachable');
    const times = (other: ReturnType<typeof summarise>) =>
      round(coalesced.eventsPerSecond / other.eventsPerSecond, 2);
    const ratio = { toConcurrentCallers: times(single), toOneCaller: times(oneCaller) };
    return {
      postgres,
      disk,
      setting: {
        event: 'one ProofRequested with encrypted fields, to a new stream',
        callers,
        rounds,
        secondsPerRound: seconds / rounds,
        server: 'PostgreSQL, embedded, durable',
        clients: 'callers in the process of the benchmark; each awaits its append before the next',
      },
      results: { coalesced, oneTransactionPerEvent: single, oneCaller },
      ratio,
      eventsInLog: await checkLog(store, variants),
      target,
      met:
        coalesced.eventsPerSecond >= target.eventsPerSecond &&
        Math.min(...Object.values(ratio)) >= target.ratio,
    };
  },
});

/** Checks that the log holds every acknowledged append, and no other event. */
async function checkLog(store: EventStore, variants: readonly AppendVariant[]): Promise<number> {
  const head = await store.head();
  const [logOpened, ...more] = await store.readHeaders(0, 2);
  if (logOpened?.type !== 'LogOpened' || more.length === 0)
    throw new Error('the log contains events of another program');
  const acknowledged = variants.reduce((sum, variant) => sum + variant.acknowledged, 0);
  if (head !== acknowledged + 1) {
    throw new Error(`${acknowledged} events were acknowledged, the log holds ${head - 1} of them`);
  }
  return head;
}

/** One way to append: one caller for each store. */
interface AppendVariant {
  readonly name: string;
  readonly stores: readonly EventStore[];
  readonly runs: AppendRun[];
  /** Number of acknowledged events of all runs, including the warm-up. */
  acknowledged: number;
}

interface AppendRun {
  readonly events: number;
  readonly ms: number;
  readonly perSecond: number;
  /** Processor times of callers, PostgreSQL and the whole machine, in milliseconds. */
  readonly used: { readonly client: number; readonly server: number; readonly machine: number };
  readonly latencies: Latencies;
}

const meta = { requestId: '01JZ0000000000000000000000', actor: 'api' } as const;

/**
 * Runs the callers in a closed loop for `ms`. Completes and counts the appends in flight at the
 * end.
 */
async function runAppenders(
  variant: AppendVariant,
  next: () => StreamAppend,
  options: { readonly ms: number; readonly serverPid: number },
): Promise<AppendRun> {
  const timesSince = await watchProcessorTimes({ postgres: options.serverPid });
  const cpu = process.cpuUsage();
  const callers = variant.stores.length;
  const { latencies, ms } = await closedLoop({ callers, ms: options.ms }, (caller) =>
    (variant.stores[caller] as EventStore).append([next()], meta),
  );
  const { user, system } = process.cpuUsage(cpu);
  const { postgres: server, machine } = await timesSince();
  const { count: events } = latencies.summary();
  variant.acknowledged += events;
  const used = { client: (user + system) / 1_000, server, machine };
  return { events, ms, perSecond: (events * 1_000) / ms, used, latencies };
}

/** Summary of all measured rounds: events per second in total, latencies by round. */
function summarise({ runs }: AppendVariant) {
  const sum = (of: (run: AppendRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const events = sum((run) => run.events);
  const ms = sum((run) => run.ms);
  const perEvent = (cpuMs: number) => round((cpuMs * 1_000) / events, 1);
  const client = sum(({ used }) => used.client);
  const machine = sum(({ used }) => used.machine);
  // Zero only on a system without /proc.
  const server = sum(({ used }) => used.server) || null;
  return {
    eventsPerSecond: Math.round((events * 1_000) / ms),
    events,
    seconds: round(ms / 1_000, 2),
    eventsPerSecondByRound: runs.map((run) => Math.round(run.perSecond)),
    // Processor times of the callers' process and of PostgreSQL's processes.
    cpuMicrosecondsPerEvent: { client: perEvent(client), server: server && perEvent(server) },
    // Processors that the rest of the machine used meanwhile, on average.
    processorsTakenByOthers: server && round((machine - client - server) / ms, 2),
    latencyMs: runs.map((run) => run.latencies.summary()),
  };
}
