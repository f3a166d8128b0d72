import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chooseFreePort } from '../../../src/embedded/postgres/free-port.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { type CleanUp, createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import type { GettingOrders } from '../harness/getting-process.ts';
import { startHelper } from '../harness/helper-process.ts';
import { watchProcessorTimes } from '../harness/processor-times.ts';
import { startLedger } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { compareInTurn } from '../harness/rounds.ts';
import { type ProofsSystem, startProofsSystemOn } from '../proofs/system.ts';
import type { CollectorOrders } from './collector-process.ts';
import { type ObservedApiOrders, observations, sampled } from './observed-api-process.ts';

const names = ['off', 'metrics', 'allTraces'] as const;
type Name = (typeof names)[number];

const ledgerOptions = { closeMs: 250, openLedgerLimit: 2_000 };
const accountsOfEach = 2;

/**
 * The cost of metrics and traces. Measures GETs of one process that serves them in each way.
 * Measures proofs of three programs as `npm start` runs them, each with its own database, called in
 * turn: one without metrics, one that is scraped every second, one that also traces everything. The
 * collector is a separate process. Processor time is the service's alone.
 */
export const telemetry = benchmark({
  name: 'telemetry',
  description: 'cost of metrics and traces for a GET and a proof: with and without, in turn',
  options: {
    callers: count('concurrent callers of GET; ten times as many post proofs', 32),
    seconds: count('measured seconds of each variant and call', 24),
    rounds: count('rounds in which the variants take turns', 8),
  },
  async measure({ callers, seconds, rounds }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const collector = startHelper<CollectorOrders>(
      new URL('./collector-process.ts', import.meta.url),
      cleanUp,
    );
    const endpoint = await collector.ask('listen');
    const ms = (seconds * 1_000) / rounds;
    const get = await measureObservedGets({ endpoint, callers, ms, rounds }, cleanUp);

    const ledger = await startLedger(join(dataDir, 'ledger'), ledgerOptions, cleanUp);
    const ports = { metrics: `${await chooseFreePort()}`, allTraces: `${await chooseFreePort()}` };
    const countNothing = pathToFileURL(join(import.meta.dirname, 'count-nothing.ts')).href;
    const settings: Readonly<Record<Name, Readonly<Record<string, string>>>> = {
      off: { METRICS_PORT: 'off', NODE_OPTIONS: `--import=${countNothing}` },
      metrics: { METRICS_PORT: ports.metrics },
      allTraces: { METRICS_PORT: ports.allTraces, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    };
    const systems = {} as Record<Name, ProofsSystem>;
    for (const name of names) {
      progress(`Starting the service: ${name}`);
      const parts = { ledger, dataDir: join(dataDir, name), accounts: accountsOfEach };
      systems[name] = await startProofsSystemOn({ ...parts, settings: settings[name] }, cleanUp);
    }
    const pages = Object.values(ports).map((port) => `http://127.0.0.1:${port}/metrics`);
    await collector.ask('scrape', pages);
    const how = { rounds, digits: 3 };
    const compared = await compareInTurn(names, how, async (name, round) => {
      const processorMs = await post(systems[name], callers * 10, ms);
      progress(`${round}: ${processorMs} ms per proof`);
      return processorMs;
    });
    return {
      postgres: systems.off.service.postgres,
      setting: { callers, rounds, secondsPerRound: ms / 1_000 },
      get,
      proof: { processorMs: compared.figures, cost: compared.cost, rounds: compared.rounds },
      collector: await collector.ask('taken'),
    };
  },
});

/** Posts proofs for `ms`, and returns the service's processor time for each, in milliseconds. */
async function post(system: ProofsSystem, count: number, ms: number): Promise<number> {
  const { pids, account, callers } = system;
  const timesSince = await watchProcessorTimes(pids);
  await callers.ask('start', { account, callers: count });
  await delay(ms);
  await callers.ask('stop');
  const { proofs } = await callers.ask('whole');
  const { service } = await timesSince();
  return round(service / proofs, 4);
}

/**
 * Processor time of the cheapest call, `GET /healthz`, served by one process in each way in turn.
 * `cost` is the median over the rounds, each relative to `off` in the same round.
 */
async function measureObservedGets(
  options: {
    readonly endpoint: string;
    readonly callers: number;
    readonly ms: number;
    readonly rounds: number;
  },
  cleanUp: CleanUp,
) {
  const { endpoint, callers, ms, rounds } = options;
  const service = startHelper<ObservedApiOrders>(
    new URL('./observed-api-process.ts', import.meta.url),
    cleanUp,
  );
  const getting = startHelper<GettingOrders>(
    new URL('../harness/getting-process.ts', import.meta.url),
    cleanUp,
  );
  const addresses = await service.ask('open', endpoint);
  const gettables = [{ key: 'none', path: '/healthz' }];
  const order = { gettables, takingTurns: false, callers, ms, status: 200 };
  const how = { rounds, digits: 1 };
  const { figures, cost } = await compareInTurn(observations, how, async (name, round) => {
    const timesSince = await watchProcessorTimes({ service: service.pid });
    const { calls } = await getting.ask('get', { ...order, address: addresses[name] });
    const processorUs = ((await timesSince()).service * 1_000) / calls;
    progress(`${round}: ${processorUs.toFixed(1)} µs per GET`);
    return processorUs;
  });
  return { sampled, processorUs: figures, cost };
}
