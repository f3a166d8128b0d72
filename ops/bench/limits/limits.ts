import { startPostgres } from '../harness/bench-log.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { median, round } from '../harness/figures.ts';
import type { GettingOrder, GettingOrders, Gotten } from '../harness/getting-process.ts';
import { startHelper } from '../harness/helper-process.ts';
import { type ProcessorTimes, watchProcessorTimes } from '../harness/processor-times.ts';
import { progress } from '../harness/progress.ts';
import { inTurn } from '../harness/rounds.ts';
import type { LimitedApiOrders, LimitedApis } from './api-process.ts';

interface Run extends Gotten {
  readonly times: ProcessorTimes<'service' | 'postgres'>;
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
/** With 60 calls a minute each, more calls than any machine makes here. */
const ordinaryKeys = 6_000;

/**
 * The cost of limits for a GET. One process serves an API with the limiter and without it, on one
 * database. Callers in another process call both alternately. `refused` are calls with a spent key.
 */
export const limits = benchmark({
  name: 'limits',
  description: 'cost of request limits for a GET: with and without the limiter, in turn',
  options: {
    callers: count('concurrent callers', 32),
    seconds: count('measured seconds of each variant', 24),
    rounds: count('rounds in which the variants take turns', 24),
  },
  async measure({ callers, seconds, rounds }, cleanUp) {
    const { postgres } = await startPostgres(cleanUp);
    const service = startHelper<LimitedApiOrders>(
      new URL('./api-process.ts', import.meta.url),
      cleanUp,
    );
    const getting = startHelper<GettingOrders>(
      new URL('../harness/getting-process.ts', import.meta.url),
      cleanUp,
    );
    const apis = await service.ask('open', {
      url: postgres.url,
      keys: callers,
      ordinary: ordinaryKeys,
    });
    const pids = { service: service.pid, postgres: postgres.pid };
    const variants = variantsOf(apis);
    const get = async ({ order }: Variant, ms: number): Promise<Run> => {
      const timesSince = await watchProcessorTimes(pids);
      const gotten = await getting.ask('get', { ...order, callers, ms });
      return { ...gotten, times: await timesSince() };
    };
    // The first call of the spent key uses up its limit.
    await getting.ask('get', { ...spending(apis), callers: 1, ms: 0.01 });
    for (const variant of variants) {
      progress(`Warming up: ${variant.name}`);
      await get(variant, warmUpMs);
    }
    for (let number = 1; number <= rounds; number += 1) {
      for (const variant of inTurn(variants, number)) {
        variant.runs.push(await get(variant, (seconds * 1_000) / rounds));
        progress(
          `Round ${number} of ${rounds}, ${variant.name}: ${perSecond(variant.runs.at(-1))}/s`,
        );
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
      postgres,
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
  },
});

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

function perSecond(run: Gotten | undefined): number {
  return run === undefined ? 0 : Math.round((run.calls * 1_000) / run.ms);
}

/** Summary of all rounds; processor time of service and PostgreSQL for one call. */
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
