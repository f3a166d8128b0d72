import { setTimeout as delay } from 'node:timers/promises';
import { enqueuingName } from '../../src/reactors/webhooks/enqueuing.ts';
import type { CleanUp } from './clean-up.ts';
import { holdEnqueuing } from './hold-enqueuing.ts';
import { round } from './machine.ts';
import { readMemory } from './memory.ts';
import { readProcessorTimes, timesBetween } from './processor-times.ts';
import { progress } from './progress.ts';
import type { Account } from './proof-caller.ts';
import { type ProofsSystem, startProofsSystem } from './proofs-system.ts';
import { type Slice, sliceOf } from './slices.ts';

export interface EnqueuingOptions {
  readonly accounts: number;
  readonly callers: number;
  /** In each of which a stretch without enqueuing comes before one with it, or after it. */
  readonly rounds: number;
  /** Of one stretch. */
  readonly seconds: number;
  /** Seconds. */
  readonly warmUp: number;
}

const target = { addedCost: 0.1 } as const;

/**
 * What enqueuing adds to the cost of a proof, in one run of `POST /proofs` in a closed loop: in turns
 * nothing is enqueued, its checkpoint being out of its reach, and every anchored proof makes a
 * delivery to an endpoint that is listening and asks to be left alone, so that nothing is sent. What
 * was not enqueued meanwhile is made good between the stretches, where nothing is measured.
 */
export async function measureEnqueuing(options: EnqueuingOptions, cleanUp: CleanUp) {
  const { accounts, callers: count, rounds, seconds, warmUp } = options;
  const system = await startProofsSystem(
    { accounts, closeMs: 1_000, openLedgerLimit: 2_000 },
    cleanUp,
  );
  const { callers, account, died, dataDir } = system;
  const enqueuing = await holdEnqueuing(dataDir, enqueuingName);
  cleanUp.defer(() => enqueuing.close());
  await registerRestingEndpoint(account, enqueuing.query);
  const failing = <Result>(work: Promise<Result>) => Promise.race([work, died]);
  await callers.ask('start', { account, callers: count });
  progress(`enqueuing: warming up, ${count} callers`);
  await failing(delay(warmUp * 1_000));
  await callers.ask('begin');

  const without: Slice[] = [];
  const withIt: Slice[] = [];
  for (let number = 0; number < rounds; number += 1) {
    // Whatever grows with time falls upon both alike.
    for (const held of number % 2 === 0 ? [true, false] : [false, true]) {
      if (held) await enqueuing.hold();
      const slice = await failing(takeSlice(system, seconds));
      if (held) await failing(enqueuing.release());
      (held ? without : withIt).push(slice);
      const { cost, service, postgres } = slice.processorMsPerProof;
      progress(
        `${held ? 'without' : 'with'} enqueuing: ${slice.proofsPerSecond}/s, ${cost} ms per proof ` +
          `(service ${service}, PostgreSQL ${postgres})`,
      );
    }
  }
  await failing(callers.ask('stop'));
  const enqueued = await enqueuing.query('SELECT count(*)::int AS count FROM webhook_deliveries');
  const costs = { without: meanCost(without), with: meanCost(withIt) };
  const addedCost = round(costs.with / costs.without - 1, 3);
  return {
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
  const before = await readProcessorTimes(pids);
  await delay(seconds * 1_000);
  const stretch = await callers.ask('cut', {});
  const after = await readProcessorTimes(pids);
  return sliceOf(stretch.proofs, stretch, timesBetween(before, after), await readMemory(pids));
}

function meanCost(slices: readonly Slice[]): number {
  const proofs = slices.reduce((sum, slice) => sum + slice.proofs, 0);
  const cost = slices.reduce(
    (sum, slice) => sum + slice.proofs * slice.processorMsPerProof.cost,
    0,
  );
  return round(cost / proofs, 3);
}

/** It is told of every anchored proof, and nothing is sent to it for as long as this runs. */
async function registerRestingEndpoint(
  { address, key }: Account,
  query: (text: string) => Promise<readonly object[]>,
): Promise<void> {
  const answer = await fetch(`${address}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://192.88.98.1/', events: ['proof.completed'] }),
  });
  if (answer.status !== 201)
    throw new Error(`registering: ${answer.status} ${await answer.text()}`);
  const rest = "UPDATE webhook_endpoints SET resting_until = now() + interval '1 day' RETURNING 1";
  while ((await query(rest)).length === 0) await delay(50);
}
