import type { EventStore, StreamAppend } from '../../src/event-store/event-store.ts';
import { type CpuUse, readCpuUse } from './cpu-use.ts';
import { createLatencies, type Latencies, type LatencySummary } from './latencies.ts';
import { round } from './machine.ts';

/** One way to append: as many callers as stores, each with the store it is given. */
export interface AppendVariant {
  readonly name: string;
  readonly stores: readonly EventStore[];
  readonly runs: AppendRun[];
  /** Events of all runs, the warm-up included. */
  acknowledged: number;
}

export interface AppendRun {
  readonly events: number;
  readonly ms: number;
  readonly perSecond: number;
  readonly cpu: { readonly before: CpuUse; readonly after: CpuUse };
  readonly latencies: Latencies;
}

export interface AppendSummary {
  readonly eventsPerSecond: number;
  readonly events: number;
  readonly seconds: number;
  readonly eventsPerSecondByRound: readonly number[];
  /** Processor time of the callers' process and of PostgreSQL's processes. */
  readonly cpuMicrosecondsPerEvent: { readonly client: number; readonly server: number | null };
  /** Processors that everything else on the machine took meanwhile, out of all there are. */
  readonly processorsTakenByOthers: number | null;
  readonly latencyMs: readonly LatencySummary[];
}

const meta = { requestId: '01JZ0000000000000000000000', actor: 'api' } as const;

/** Callers append in a closed loop for so long; what they began is finished and counted. */
export async function runAppenders(
  variant: AppendVariant,
  next: () => StreamAppend,
  options: { readonly ms: number; readonly serverPid: number },
): Promise<AppendRun> {
  const latencies = createLatencies();
  const before = await readCpuUse(options.serverPid);
  const startedAt = performance.now();
  const until = startedAt + options.ms;
  let events = 0;
  const call = async (store: EventStore) => {
    for (let now = startedAt; now < until; ) {
      await store.append([next()], meta);
      const done = performance.now();
      latencies.record(done - now);
      events += 1;
      now = done;
    }
  };
  await Promise.all(variant.stores.map(call));
  const ms = performance.now() - startedAt;
  const cpu = { before, after: await readCpuUse(options.serverPid) };
  variant.acknowledged += events;
  return { events, ms, perSecond: (events * 1_000) / ms, cpu, latencies };
}

/** Over all measured rounds: events by time, latencies by round. */
export function summarise({ runs }: AppendVariant): AppendSummary {
  const sum = (of: (run: AppendRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const events = sum((run) => run.events);
  const ms = sum((run) => run.ms);
  const used = (of: (use: CpuUse) => number) => sum(({ cpu }) => of(cpu.after) - of(cpu.before));
  const perEvent = (cpuMs: number) => round((cpuMs * 1_000) / events, 1);
  const client = used((use) => use.client);
  const machine = used((use) => use.machine);
  const known = runs.every(({ cpu }) => cpu.after.server !== null);
  const server = known ? used((use) => use.server ?? 0) : null;
  return {
    eventsPerSecond: Math.round((events * 1_000) / ms),
    events,
    seconds: round(ms / 1_000, 2),
    eventsPerSecondByRound: runs.map((run) => Math.round(run.perSecond)),
    cpuMicrosecondsPerEvent: { client: perEvent(client), server: server && perEvent(server) },
    processorsTakenByOthers: server && round((machine - client - server) / ms, 2),
    latencyMs: runs.map((run) => run.latencies.summary()),
  };
}
