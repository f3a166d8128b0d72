import { type CleanUp, withCleanUp } from './clean-up.ts';
import type { GettingOrder, GettingOrders, Gotten } from './getting-process.ts';
import { startHelper } from './helper-process.ts';
import type { LimitedApiOrders, LimitedApis } from './limited-api-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { openBenchPostgres } from './open-bench-postgres.ts';
import { postgresVersion } from './postgres-version.ts';
import {
  type Pids,
  type ProcessorTimes,
  readProcessorTimes,
  timesBetween,
} from './processor-times.ts';
import { progress } from './progress.ts';

export interface LimitsOptions {
  readonly callers: number;
  /** Measured, of each variant. */
  readonly seconds: number;
  readonly rounds: number;
}

interface Run extends Gotten {
  readonly times: ProcessorTimes;
}

const names = [
  ...(['unlimited', 'limited', 'unlimitedOneKey', 'limitedOneKey'] as const),
  ...(['unlimitedOrdinary', 'limitedOrdinary', 'refused'] as const),
] as const;

interface Variant {
  readonly name: (typeof names)[number];
  readonly order: Omit<GettingOrder, 'ms' | 'callers'>;
  readonly runs: Run[];
}

const target = { costOfLimits: 0.1 } as const;
const warmUpMs = 2_000;
/** With 60 calls a minute each, more than any machine makes here. */
const ordinaryKeys = 6_000;

/**
 * What limits cost a GET: one API served with the limiter and without it by one process on one
 * database, asked in turn by callers in another process. `refused` are calls with a spent key.
 */
export function benchLimits(options: LimitsOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ callers, seconds, rounds }: LimitsOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { dataDir, postgres } = await openBenchPostgres(cleanUp);
  const service = startHelper<LimitedApiOrders>('limited-api-process.ts');
  cleanUp.defer(() => service.stop());
  const getting = startHelper<GettingOrders>('getting-process.ts');
  cleanUp.defer(() => getting.stop());
  const apis = await service.ask('open', {
    url: postgres.url,
    keys: callers,
    ordinary: ordinaryKeys,
  });
  const pids = { service: service.pid, postgres: postgres.pid, callers: getting.pid, ledger: 0 };
  const variants = variantsOf(apis);
  const get = (variant: Variant, ms: number) => {
    const order = { ...variant.order, callers, ms };
    return timed(pids, () => getting.ask('get', order));
  };
  // The first call of the spent key is its only one.
  await getting.ask('get', { ...spending(apis), callers: 1, ms: 0.01 });
  for (const variant of variants) {
    progress(`warming up: ${variant.name}`);
    await get(variant, warmUpMs);
  }
  for (let number = 1; number <= rounds; number += 1) {
    for (const variant of inTurn(variants, number)) {
      variant.runs.push(await get(variant, (seconds * 1_000) / rounds));
      progress(`round ${number}/${rounds}, ${variant.name}: ${perSecond(variant.runs.at(-1))}/s`);
    }
  }
  const results = Object.fromEntries(
    variants.map((variant) => [variant.name, summarise(variant)]),
  ) as Record<Variant['name'], ReturnType<typeof summarise>>;
  const against = (limited: Variant['name'], unlimited: Variant['name']) => {
    const [variant, other] = [results[limited], results[unlimited]];
    const ratios = variant.perSecondByRound.map(
      (each, at) => each / (other.perSecondByRound[at] ?? Number.NaN),
    );
    return {
      throughput: round(1 - median(ratios), 3),
      processorTime: round(variant.processorMs / other.processorMs - 1, 3),
    };
  };
  const cost = {
    aKeyEach: against('limited', 'unlimited'),
    oneKey: against('limitedOneKey', 'unlimitedOneKey'),
    ordinary: against('limitedOrdinary', 'unlimitedOrdinary'),
  };
  return {
    benchmark: 'limits',
    machine: await describeMachine(await postgresVersion(dataDir)),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: {
      call: 'GET /proofs/{proofId}',
      ...{ callers, rounds, secondsPerRound: seconds / rounds },
      processes: 'callers, service (both variants) and PostgreSQL are processes of their own',
    },
    results,
    cost,
    target,
    met: Object.values(cost).every(({ throughput }) => throughput < target.costOfLimits),
  };
}

function variantsOf(apis: LimitedApis): Variant[] {
  const { gettables, ordinary, spent } = apis;
  const one = gettables.slice(0, 1);
  const orders = {
    ...{ unlimited: { gettables }, limited: { gettables } },
    ...{ unlimitedOneKey: { gettables: one }, limitedOneKey: { gettables: one } },
    unlimitedOrdinary: { gettables: ordinary, takingTurns: true },
    limitedOrdinary: { gettables: ordinary, takingTurns: true },
    refused: { gettables: [spent], status: 429 },
  };
  return names.map((name) => {
    const address = name.startsWith('unlimited') ? apis.unlimited : apis.limited;
    const order = { ...{ address, takingTurns: false, status: 200 }, ...orders[name] };
    return { name, order, runs: [] };
  });
}

function spending({ limited, spent }: LimitedApis): Variant['order'] {
  return { address: limited, gettables: [spent], takingTurns: false, status: 200 };
}

async function timed(pids: Pids, work: () => Promise<Gotten>): Promise<Run> {
  const before = await readProcessorTimes(pids);
  const gotten = await work();
  return { ...gotten, times: timesBetween(before, await readProcessorTimes(pids)) };
}

function perSecond(run: Gotten | undefined): number {
  return run === undefined ? 0 : Math.round((run.calls * 1_000) / run.ms);
}

/** What comes first in one round comes last in another. */
function inTurn(variants: readonly Variant[], round: number): readonly Variant[] {
  const turned = variants.map((_, place) => variants[(place + round) % variants.length]);
  return turned.filter((variant) => variant !== undefined);
}

/** On a machine that is not quiet, single rounds tell little. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Over all rounds; processor time is of service and PostgreSQL for one call. */
function summarise({ runs }: Variant) {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const calls = sum((run) => run.calls);
  const perCall = (of: (run: Run) => number) => round(sum(of) / calls, 4);
  return {
    perSecond: round((calls * 1_000) / sum(({ ms }) => ms)),
    perSecondByRound: runs.map(perSecond),
    processorMs: perCall(({ times }) => times.service + times.postgres),
    ofService: perCall(({ times }) => times.service),
    ofPostgres: perCall(({ times }) => times.postgres),
    p50Ms: round(sum(({ latencyMs }) => latencyMs.p50) / runs.length, 2),
    p99Ms: round(sum(({ latencyMs }) => latencyMs.p99) / runs.length, 2),
  };
}
