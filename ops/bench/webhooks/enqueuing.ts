import { setTimeout as delay } from 'node:timers/promises';
import { connectionTo } from '../../../src/event-store/connection-to.ts';
import { DatabaseClient } from '../../../src/event-store/database-client.ts';
import { enqueuingName } from '../../../src/reactors/webhooks/enqueuing.ts';
import { callApi, keepAliveAgent } from '../harness/calls.ts';
import type { CleanUp } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { watchProcessorTimes } from '../harness/processor-times.ts';
import { progress } from '../harness/progress.ts';
import type { Account } from '../harness/tenant.ts';
import { readMemory } from '../proofs/memory.ts';
import { type Slice, sliceOf } from '../proofs/slices.ts';
import { type ProofsSystem, startProofsSystem } from '../proofs/system.ts';

export interface EnqueuingOptions {
  readonly accounts: number;
  readonly callers: number;
  /** Rounds, each with one interval without enqueuing and one with it, in alternating order. */
  readonly rounds: number;
  /** Duration of one interval. */
  readonly seconds: number;
  /** Duration of the warm-up in seconds. */
  readonly warmUp: number;
}

const target = { addedCost: 0.1 } as const;

/**
 * The cost that enqueuing adds to a proof, in one run of `POST /proofs` in a closed loop. Intervals
 * alternate. In one, nothing is enqueued, since its checkpoint is renamed. In the other, every
 * anchored proof makes a delivery to a resting endpoint, so that nothing is sent. The missed
 * deliveries are enqueued between the intervals, outside the measurement.
 */
export async function measureEnqueuing(options: EnqueuingOptions, cleanUp: CleanUp) {
  const { accounts, callers: count, rounds, seconds, warmUp } = options;
  const system = await startProofsSystem(
    { accounts, closeMs: 1_000, openLedgerLimit: 2_000 },
    cleanUp,
  );
  const { callers, account, died } = system;
  const enqueuing = await holdEnqueuing(system.service.postgres.url, cleanUp);
  await registerRestingEndpoint(account, enqueuing.query);
  const failing = <Result>(work: Promise<Result>) => Promise.race([work, died]);
  await callers.ask('start', { account, callers: count });
  progress(`Enqueuing: warming up with ${count} callers`);
  await failing(delay(warmUp * 1_000));
  await callers.ask('begin');

  const without: Slice[] = [];
  const withIt: Slice[] = [];
  for (let number = 0; number < rounds; number += 1) {
    // Alternate, so that growth over time affects both alike.
    for (const held of number % 2 === 0 ? [true, false] : [false, true]) {
      if (held) await enqueuing.hold();
      const slice = await failing(takeSlice(system, seconds));
      if (held) await failing(enqueuing.release());
      (held ? without : withIt).push(slice);
      const { cost, service, postgres } = slice.processorMsPerProof;
      progress(
        `${held ? 'Without' : 'With'} enqueuing: ${slice.proofsPerSecond}/s, ${cost} ms per proof ` +
          `(service ${service}, PostgreSQL ${postgres})`,
      );
    }
  }
  await failing(callers.ask('stop'));
  const enqueued = await enqueuing.query('SELECT count(*)::int AS count FROM webhook_deliveries');
  const costs = { without: meanCost(without), with: meanCost(withIt) };
  const addedCost = round(costs.with / costs.without - 1, 3);
  return {
    postgres: system.service.postgres,
    setting: { accounts, callers: count, rounds, secondsEach: seconds, warmUpSeconds: warmUp },
    deliveriesEnqueued: Number(enqueued[0]?.count),
    processorMsPerProof: costs,
    addedCost,
    slices: { without, with: withIt },
    target,
    met: addedCost < target.addedCost,
  };
}

async function takeSlice({ callers, pids }: ProofsSystem, seconds: number): Promise<Slice> {
  await callers.ask('cut', {});
  const timesSince = await watchProcessorTimes(pids);
  await delay(seconds * 1_000);
  const stretch = await callers.ask('cut', {});
  const times = await timesSince();
  return sliceOf(stretch.proofs, stretch, times, await readMemory(pids));
}

function meanCost(slices: readonly Slice[]): number {
  const proofs = slices.reduce((sum, slice) => sum + slice.proofs, 0);
  const cost = slices.reduce(
    (sum, slice) => sum + slice.proofs * slice.processorMsPerProof.cost,
    0,
  );
  return round(cost / proofs, 3);
}

/**
 * Registers an endpoint for all anchored proofs, and lets it rest, so that nothing is sent during
 * the run.
 */
async function registerRestingEndpoint(
  account: Account,
  query: HeldEnqueuing['query'],
): Promise<void> {
  const agent = keepAliveAgent(1);
  const json = JSON.stringify({ url: 'https://192.88.98.1/', events: ['proof.completed'] });
  const { status, text } = await callApi(agent, account, '/webhooks', json);
  agent.destroy();
  if (status !== 201) throw new Error(`POST /webhooks: ${status} ${text}`);
  const rest = "UPDATE webhook_endpoints SET resting_until = now() + interval '1 day' RETURNING 1";
  while ((await query(rest)).length === 0) await delay(50);
}

/** Control of enqueuing from outside the service. */
interface HeldEnqueuing {
  /** Stops enqueuing; it has stopped when this resolves. */
  hold(): Promise<void>;
  /** Resumes enqueuing, and resolves when it has caught up with the log. */
  release(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
}

/**
 * Stops enqueuing by renaming its checkpoint. A lock would keep a transaction open, which keeps
 * every dead version of the log's head alive and so raises the measured cost.
 */
async function holdEnqueuing(url: string, cleanUp: CleanUp): Promise<HeldEnqueuing> {
  const client = new DatabaseClient(connectionTo(url));
  await client.connect();
  cleanUp.defer(() => client.end());
  const name = enqueuingName;
  const query = async (text: string) => (await client.query(text)).rows;
  const read = async (text: string) => Number((await query(text))[0]?.position);
  const rename = (from: string, to: string) =>
    client.query('UPDATE checkpoints SET name = $2 WHERE name = $1', [from, to]);
  const held = `${name} (held)`;
  return {
    async hold() {
      await rename(name, held);
    },
    async release() {
      await rename(held, name);
      const head = await read('SELECT position FROM log_head');
      const reached = `SELECT position FROM checkpoints WHERE name = '${name}'`;
      while ((await read(reached)) < head) await delay(50);
    },
    query,
  };
}
