import type { CleanUp } from './clean-up.ts';
import type { GettingOrders } from './getting-process.ts';
import { startHelper } from './helper-process.ts';
import { round } from './machine.ts';
import {
  type Observation,
  type ObservedApiOrders,
  observations,
  sampled,
} from './observed-api-process.ts';
import { readProcessorTimes, timesBetween } from './processor-times.ts';
import { progress } from './progress.ts';

/**
 * Processor time of the cheapest call there is, `GET /healthz`, served by one process in each way in turn;
 * `cost` is the median over the rounds, each against the same round without anything.
 */
export async function measureObservedGets(
  options: {
    readonly endpoint: string;
    readonly callers: number;
    readonly ms: number;
    readonly rounds: number;
  },
  cleanUp: CleanUp,
) {
  const { endpoint, callers, ms, rounds } = options;
  const service = startHelper<ObservedApiOrders>('observed-api-process.ts');
  cleanUp.defer(() => service.stop());
  const getting = startHelper<GettingOrders>('getting-process.ts');
  cleanUp.defer(() => getting.stop());
  const addresses = await service.ask('open', endpoint);
  const pids = { service: service.pid, postgres: 0, ledger: 0, callers: getting.pid };
  const runs: Record<Observation, number>[] = [];
  for (let number = 0; number <= rounds; number += 1) {
    const run = { off: 0, metrics: 0, sampledTraces: 0, allTraces: 0 };
    const at = number % observations.length;
    for (const name of [...observations.slice(at), ...observations.slice(0, at)]) {
      const gettables = [{ key: 'none', path: '/healthz' }];
      const address = addresses[name];
      const order = { address, gettables, takingTurns: false, callers, ms, status: 200 };
      const before = await readProcessorTimes(pids);
      const { calls } = await getting.ask('get', order);
      const { service: spentMs } = timesBetween(before, await readProcessorTimes(pids));
      run[name] = (spentMs * 1_000) / calls;
      progress(`round ${number}/${rounds}, ${name}: ${round(run[name], 1)} µs a GET`);
    }
    // The first one warms up.
    if (number > 0) runs.push(run);
  }
  const of = (pick: (run: Record<Observation, number>) => number) => median(runs.map(pick));
  return {
    ...{
      sampled,
      processorUs: table((name) =>
        round(
          of((run) => run[name]),
          1,
        ),
      ),
    },
    cost: table((name) => round(of((run) => run[name] / run.off) - 1, 3)),
  };
}

function table(figureOf: (name: Observation) => number) {
  return Object.fromEntries(observations.map((name) => [name, figureOf(name)]));
}

/** Single rounds tell little on a machine that is not quiet. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
