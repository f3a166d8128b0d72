import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { createBenchFolder } from './bench-folder.ts';
import type { CallersOrders } from './callers-process.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import type { CollectorOrders } from './collector-process.ts';
import { startHelper } from './helper-process.ts';
import { type LedgerProcess, startLedger } from './ledger-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { measureObservedGets, median } from './observed-gets.ts';
import { openAccount } from './open-account.ts';
import { postgresVersion } from './postgres-version.ts';
import { readProcessorTimes, timesBetween } from './processor-times.ts';
import { progress } from './progress.ts';
import { startService } from './service-process.ts';

export interface TelemetryOptions {
  /** Concurrent ones of a GET; of posts ten times as many. */
  readonly callers: number;
  /** Measured, of each variant and call. */
  readonly seconds: number;
  readonly rounds: number;
}

const names = ['off', 'metrics', 'allTraces'] as const;
type Name = (typeof names)[number];

const ledgerOptions = { closeMs: 250, openLedgerLimit: 2_000 };
const accountsOfEach = 2;

/**
 * What metrics and traces cost. GETs of one process that serves them in each way; and proofs of three
 * programs as `npm start` runs them, each with a database of its own and called in turn: one that counts
 * nothing, one that is scraped every second, one that traces everything as well. The collector is a
 * process of its own. Processor time is of the service alone.
 */
export function benchTelemetry(options: TelemetryOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ callers, seconds, rounds }: TelemetryOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const collector = startHelper<CollectorOrders>('collector-process.ts');
  cleanUp.defer(() => collector.stop());
  const endpoint = await collector.ask('listen');
  const ms = (seconds * 1_000) / rounds;
  const get = await measureObservedGets({ endpoint, callers, ms, rounds }, cleanUp);

  const ledger = await startLedger(join(dataDir, 'ledger'), ledgerOptions);
  cleanUp.defer(() => ledger.stop());
  const ports = { metrics: `${await chooseFreePort()}`, allTraces: `${await chooseFreePort()}` };
  const countNothing = pathToFileURL(join(import.meta.dirname, 'count-nothing.ts')).href;
  const settings: Readonly<Record<Name, Readonly<Record<string, string>>>> = {
    off: { METRICS_PORT: 'off', NODE_OPTIONS: `--import=${countNothing}` },
    metrics: { METRICS_PORT: ports.metrics },
    allTraces: { METRICS_PORT: ports.allTraces, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  };
  const variants: Variant[] = [];
  for (const name of names) {
    progress(`starting: ${name}`);
    const folder = join(dataDir, name);
    variants.push(await startVariant({ name, settings: settings[name], ledger, folder }, cleanUp));
  }
  const pages = Object.values(ports).map((port) => `http://127.0.0.1:${port}/metrics`);
  await collector.ask('scrape', pages);
  const runs: Record<Name, number>[] = [];
  for (let number = 0; number <= rounds; number += 1) {
    const run = { off: 0, metrics: 0, allTraces: 0 };
    const at = number % variants.length;
    for (const { name, post } of [...variants.slice(at), ...variants.slice(0, at)]) {
      run[name] = await post(callers * 10, ms);
      progress(`round ${number}/${rounds}, ${name}: ${run[name]} ms a proof`);
    }
    // The first one warms up.
    if (number > 0) runs.push(run);
  }
  const table = (figureOf: (name: Name) => number) =>
    Object.fromEntries(names.map((name) => [name, round(figureOf(name), 3)]));
  return {
    benchmark: 'telemetry',
    machine: await describeMachine(await postgresVersion(join(dataDir, 'off'))),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: { callers, rounds, secondsPerRound: ms / 1_000 },
    get,
    proof: {
      processorMs: table((name) => median(runs.map((run) => run[name]))),
      cost: table((name) => median(runs.map((run) => run[name] / run.off)) - 1),
      rounds: runs,
    },
    collector: await collector.ask('taken'),
  };
}

interface Variant {
  readonly name: Name;
  /** Posts proofs for so long; processor time of the service for each. */
  post(callers: number, ms: number): Promise<number>;
}

async function startVariant(
  options: {
    readonly name: Name;
    readonly settings: Readonly<Record<string, string>>;
    readonly ledger: LedgerProcess;
    readonly folder: string;
  },
  cleanUp: CleanUp,
): Promise<Variant> {
  const { name, settings, ledger, folder } = options;
  const { seeds } = await ledger.fund(accountsOfEach);
  const accounts = { XRPL_TESTNET_URL: ledger.url, XRPL_TESTNET_ACCOUNTS: seeds.join(',') };
  const service = await startService(folder, { ...accounts, ...settings });
  cleanUp.defer(() => service.stop());
  const account = await openAccount(service);
  const posting = startHelper<CallersOrders>('callers-process.ts');
  cleanUp.defer(() => posting.stop());
  const pids = {
    ...{ service: service.pid, postgres: service.postgresPid },
    ...{ ledger: ledger.pid, callers: posting.pid },
  };
  return {
    name,
    async post(callers, ms) {
      const before = await readProcessorTimes(pids);
      await posting.ask('start', { account, callers });
      await delay(ms);
      await posting.ask('stop');
      const { proofs } = await posting.ask('whole');
      const spent = timesBetween(before, await readProcessorTimes(pids));
      return round(spent.service / proofs, 4);
    },
  };
}
