import { setTimeout as delay } from 'node:timers/promises';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { type HelperProcess, startHelper } from './helper-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { postgresVersion } from './postgres-version.ts';
import { familyMs, machineMs, readProcesses } from './processes.ts';
import { progress } from './progress.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import type { FeederOrders } from './webhook-feeder-process.ts';
import type { ReceiverOrders } from './webhook-receiver-process.ts';
import { measureEnqueuing } from './webhooks-enqueuing.ts';

export interface WebhooksOptions {
  /** Of the first part. */
  readonly deliveries: number;
  /** Of the second part. */
  readonly seconds: number;
  /** Of the third part, each with a stretch without enqueuing and one with it. */
  readonly rounds: number;
}

const target = { deliveriesPerSecond: 500, goodP99Ms: 2_000 } as const;
const endpointsEach = 20;
const goodEndpoints = 200;
const deliveriesPerSecond = 200;
const warmUpDeliveries = 2_000;
const anchoring = { accounts: 8, callers: 1_000, seconds: 10, warmUp: 20 } as const;

/**
 * What is delivered to a receiver on this machine. First a backlog, one event for one endpoint:
 * how many a second. Then 200 deliveries a second to 200 endpoints that are well, one that never
 * answers and one that answers 500: how long the good ones wait. Last, what enqueuing adds to the cost
 * of a proof.
 */
export function benchWebhooks(options: WebhooksOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

interface System {
  readonly service: ServiceProcess;
  readonly receiver: HelperProcess<ReceiverOrders>;
  readonly feeder: HelperProcess<FeederOrders>;
  readonly receiverUrl: string;
  readonly postgresVersion: string;
}

async function measure(options: WebhooksOptions, cleanUp: CleanUp) {
  const load = { start: loadAverage() };
  progress('throughput');
  const throughput = await withSystem(cleanUp, (system) =>
    drainBacklog(system, options.deliveries),
  );
  progress('isolation');
  const isolation = await withSystem(cleanUp, (system) => feedAll(system, options.seconds));
  const enqueuing = await measureEnqueuing({ ...anchoring, rounds: options.rounds }, cleanUp);
  return {
    benchmark: 'webhooks',
    machine: await describeMachine(throughput.postgresVersion),
    loadAverage: { ...load, end: loadAverage() },
    setting: {
      server: 'src/main.ts with embedded PostgreSQL, durable; WEBHOOK_ALLOW_HTTP, _PRIVATE',
      receiver: 'a process of its own, HTTP/1.1 with kept connections',
      events: 'completed proofs, appended by a process of its own',
      ...options,
    },
    results: { throughput: throughput.result, isolation: isolation.result, enqueuing },
    target,
    met:
      throughput.result.deliveriesPerSecond >= target.deliveriesPerSecond &&
      throughput.result.lost === 0 &&
      isolation.result.latencyMs.p99 <= target.goodP99Ms &&
      isolation.result.lost === 0 &&
      enqueuing.met,
  };
}

/** A service of its own for each part: what one leaves pending does not disturb the next. */
async function withSystem<Result>(
  outer: CleanUp,
  work: (system: System) => Promise<Result>,
): Promise<{ readonly result: Result; readonly postgresVersion: string }> {
  const stack = new AsyncDisposableStack();
  outer.defer(() => stack.disposeAsync());
  const { dataDir, remove } = await createBenchFolder();
  stack.defer(remove);
  const receiver = startHelper<ReceiverOrders>('webhook-receiver-process.ts');
  stack.defer(() => receiver.stop());
  const receiverUrl = await receiver.ask('listen');
  const development = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startService(dataDir, development);
  stack.defer(() => service.stop());
  const feeder = startHelper<FeederOrders>('webhook-feeder-process.ts');
  stack.defer(() => feeder.stop());
  const postgres = await findEmbeddedPostgres({ dataDir });
  if (postgres === null) throw new Error('the PostgreSQL of the service is not found');
  const masterKey = await readOrCreateMasterKey(dataDir, { mayCreate: false });
  await feeder.ask('open', { url: postgres.url, masterKey: masterKey.toString('base64') });
  const version = await postgresVersion(dataDir);
  const system = { service, receiver, feeder, receiverUrl, postgresVersion: version };
  const result = await Promise.race([work(system), service.died]);
  await stack.disposeAsync();
  return { result, postgresVersion: version };
}

/** One event for one endpoint each, all of them appended before: as fast as the service can. */
async function drainBacklog(system: System, deliveries: number) {
  const { feeder, receiver, receiverUrl, service } = system;
  for (let n = 0; n < endpointsEach; n += 1) {
    await feeder.ask('organisation', { urls: [`${receiverUrl}/${n}`] });
  }
  await feeder.ask('fill', { proofs: warmUpDeliveries });
  await arrived(system, warmUpDeliveries);
  await receiver.ask('begin');
  const before = await cpuTimes(system);
  await feeder.ask('fill', { proofs: deliveries });
  await arrived(system, deliveries);
  const used = differences(before, await cpuTimes(system));
  const { ms, distinct, deliveries: all } = await receiver.ask('arrivals');
  const deliveriesPerSecond = round((distinct * 1_000) / ms, 1);
  progress(`${deliveriesPerSecond} deliveries/s (process ${service.pid})`);
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

/** Every event goes to all endpoints of its organisation: twenty at once. */
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
  const before = await cpuTimes(system);
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
  const used = differences(before, await cpuTimes(system));
  const { distinct, latencyMs, atOthers, deliveries } = await receiver.ask('arrivals');
  progress(`good ones: p50 ${latencyMs.p50}, p99 ${latencyMs.p99}, max ${latencyMs.max} ms`);
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

/** Resolves when so many different deliveries have arrived since `begin`. */
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

async function cpuTimes({ service, receiver }: System) {
  const machine = machineMs();
  const all = await readProcesses();
  const own = (pid: number) => all.find((each) => each.pid === pid)?.ms ?? 0;
  const postgres = familyMs(all, service.postgresPid) ?? 0;
  return { service: own(service.pid), postgres, receiver: own(receiver.pid), machine };
}

type Times = Awaited<ReturnType<typeof cpuTimes>>;

function differences(before: Times, after: Times): Times {
  return {
    service: after.service - before.service,
    postgres: after.postgres - before.postgres,
    receiver: after.receiver - before.receiver,
    machine: after.machine - before.machine,
  };
}
