import { setTimeout as delay } from 'node:timers/promises';
import { readOrCreateMasterKey } from '../../../src/embedded/master-key.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { type CleanUp, createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { type HelperProcess, startHelper } from '../harness/helper-process.ts';
import { watchProcessorTimes } from '../harness/processor-times.ts';
import { type ServiceProcess, startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { measureEnqueuing } from './enqueuing.ts';
import type { FeederOrders } from './feeder-process.ts';
import type { ReceiverOrders } from './receiver-process.ts';

const target = { deliveriesPerSecond: 500, goodP99Ms: 2_000 } as const;
const endpointsEach = 20;
const goodEndpoints = 200;
const deliveriesPerSecond = 200;
const warmUpDeliveries = 2_000;
const anchoring = { accounts: 8, callers: 1_000, seconds: 10, warmUp: 20 } as const;

interface System {
  readonly service: ServiceProcess;
  readonly receiver: HelperProcess<ReceiverOrders>;
  readonly feeder: HelperProcess<FeederOrders>;
  readonly receiverUrl: string;
}

/**
 * Deliveries to a receiver on this machine. First measures the rate for a backlog with one endpoint
 * for each event. Then sends 200 deliveries a second to 200 healthy endpoints, one that never
 * answers and one that answers 500. Measures the latency of the healthy ones. Last, measures the
 * cost that enqueuing adds to a proof.
 */
export const webhooks = benchmark({
  name: 'webhooks',
  description: 'deliveries to a local receiver: rate, and latency beside failing endpoints',
  options: {
    deliveries: count('deliveries of the first part (throughput)', 15_000),
    seconds: count('seconds of the second part (isolation)', 30),
    rounds: count('rounds of the third part (proofs with and without enqueuing)', 4),
  },
  async measure(chosen, cleanUp) {
    const { deliveries, seconds, rounds } = chosen;
    progress('Measuring throughput');
    const throughput = await withSystem((system) => drainBacklog(system, deliveries), cleanUp);
    progress('Measuring isolation');
    const isolation = await withSystem((system) => feedAll(system, seconds), cleanUp);
    const { postgres, ...enqueuing } = await measureEnqueuing({ ...anchoring, rounds }, cleanUp);
    return {
      postgres,
      setting: {
        server: 'src/main.ts with embedded PostgreSQL, durable; WEBHOOK_ALLOW_HTTP, _PRIVATE',
        receiver: 'a process of its own, HTTP/1.1 with kept connections',
        events: 'completed proofs, appended by a process of its own',
        ...chosen,
      },
      results: { throughput, isolation, enqueuing },
      target,
      met:
        throughput.deliveriesPerSecond >= target.deliveriesPerSecond &&
        throughput.lost === 0 &&
        isolation.latencyMs.p99 <= target.goodP99Ms &&
        isolation.lost === 0 &&
        enqueuing.met,
    };
  },
});

/**
 * Starts a separate service for each part, so that pending work of one part does not disturb the
 * next.
 */
async function withSystem<Result>(
  work: (system: System) => Promise<Result>,
  outer: CleanUp,
): Promise<Result> {
  const stack = new AsyncDisposableStack();
  outer.defer(() => stack.disposeAsync());
  const dataDir = await createBenchFolder(stack);
  const receiver = startHelper<ReceiverOrders>(
    new URL('./receiver-process.ts', import.meta.url),
    stack,
  );
  const receiverUrl = await receiver.ask('listen');
  const development = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startService(dataDir, development, stack);
  const feeder = startHelper<FeederOrders>(new URL('./feeder-process.ts', import.meta.url), stack);
  const masterKey = await readOrCreateMasterKey(dataDir, { mayCreate: false });
  const { url } = service.postgres;
  await feeder.ask('open', { url, masterKey: masterKey.toString('base64') });
  const result = await Promise.race([
    work({ service, receiver, feeder, receiverUrl }),
    service.died,
  ]);
  await stack.disposeAsync();
  return result;
}

/** Measures the rate for a backlog with one endpoint for each event. */
async function drainBacklog(system: System, deliveries: number) {
  const { feeder, receiver, receiverUrl, service } = system;
  for (let n = 0; n < endpointsEach; n += 1) {
    await feeder.ask('organisation', { urls: [`${receiverUrl}/${n}`] });
  }
  await feeder.ask('fill', { proofs: warmUpDeliveries });
  await arrived(system, warmUpDeliveries);
  await receiver.ask('begin');
  const timesSince = await watchProcessorTimes(pidsOf(system));
  await feeder.ask('fill', { proofs: deliveries });
  await arrived(system, deliveries);
  const used = await timesSince();
  const { ms, distinct, deliveries: all } = await receiver.ask('arrivals');
  const deliveriesPerSecond = round((distinct * 1_000) / ms, 1);
  progress(`${deliveriesPerSecond} deliveries/s (service: process ${service.pid})`);
  return {
    deliveriesPerSecond,
    deliveries: distinct,
    repeated: all - distinct,
    lost: deliveries - distinct,
    seconds: round(ms / 1_000, 1),
    processorMsPerDelivery: {
      service: round(used.service / deliveries, 2),
      postgres: round(used.postgres / deliveries, 2),
      receiver: round(used.receiver / deliveries, 2),
    },
    processorsOfAll: round(used.machine / ms, 2),
  };
}

/** Measures latencies at a fixed rate; every event goes to all endpoints of its organisation. */
async function feedAll(system: System, seconds: number) {
  const { feeder, receiver, receiverUrl } = system;
  const urls = Array.from({ length: goodEndpoints }, (_, n) => `${receiverUrl}/${n}`);
  urls.splice(1, 0, `${receiverUrl}/hang`, `${receiverUrl}/fail`);
  const organisations = Math.ceil(urls.length / endpointsEach);
  for (let n = 0; n < organisations; n += 1) {
    const own = urls.filter((_, index) => index % organisations === n);
    await feeder.ask('organisation', { urls: own });
  }
  await receiver.ask('begin');
  const timesSince = await watchProcessorTimes(pidsOf(system));
  const startedAt = performance.now();
  const perSecond = (deliveriesPerSecond * organisations) / urls.length;
  const rounds = Math.round((perSecond * seconds) / organisations);
  const events = await feeder.ask('feed', {
    perSecond,
    seconds: (rounds * organisations) / perSecond,
  });
  const expected = rounds * goodEndpoints;
  await arrived(system, expected);
  const ms = performance.now() - startedAt;
  const used = await timesSince();
  const { distinct, latencyMs, atOthers, deliveries } = await receiver.ask('arrivals');
  progress(
    `Healthy endpoints: p50 ${latencyMs.p50} ms, p99 ${latencyMs.p99} ms, max ${latencyMs.max} ms`,
  );
  return {
    deliveriesPerSecond: round((distinct * 1_000) / ms, 1),
    events,
    goodEndpoints,
    delivered: distinct,
    repeated: deliveries - distinct,
    lost: expected - distinct,
    attemptsAtTheOthers: atOthers,
    latencyMs,
    processorsOfAll: round(used.machine / ms, 2),
  };
}

/** Resolves when that many distinct deliveries have arrived since `begin`. */
async function arrived({ receiver }: System, count: number): Promise<void> {
  let last = 0;
  for (let idle = 0; idle < maxIdleSeconds * 10; idle += 1) {
    const now = await receiver.ask('count');
    if (now >= count) return;
    if (now > last) idle = 0;
    last = now;
    await delay(100);
  }
  throw new Error(`only ${last} of ${count} deliveries have arrived`);
}

const maxIdleSeconds = 90;

function pidsOf({ service, receiver }: System) {
  return { service: service.pid, postgres: service.postgres.pid, receiver: receiver.pid };
}
