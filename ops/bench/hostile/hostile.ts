import { randomUUID } from 'node:crypto';
import { benchmark, count } from '../harness/benchmark.ts';
import { blocksOf, reportingBlocks } from '../harness/blocks.ts';
import { createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { watchResidentMemory } from '../harness/memory.ts';
import { type ServiceProcess, startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import type { Attacked, AttackingOrders } from './attacking-process.ts';
import type { Paced, PacedOrder, PacedOrders } from './paced-process.ts';
import { openHostile, openVictim, type Victim } from './setup.ts';

const target = { proofP99Ms: 250, healthP99Ms: 100 } as const;
const warmUpMs = 3_000;
const minuteMs = 60_000;

/**
 * Measures a tenant's calls at a steady pace, alone and then beside one hostile key. That key sends
 * the most expensive calls that its limits allow. Service, attacker and tenant are separate
 * processes.
 */
export const hostile = benchmark({
  name: 'hostile',
  description: 'calls of a tenant beside a hostile key that uses up its limits',
  options: {
    minutes: count('minutes beside the hostile key; four send every call once', 4),
    /** More documents make its searches slower. */
    documents: count('documents of the hostile organisation', 20_000),
  },
  async measure({ minutes, documents }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const reachable = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
    const settings = { ...reportingBlocks(dataDir), ...reachable };
    const service = await startService(dataDir, settings, cleanUp);
    const pacing = startHelper<PacedOrders>(
      new URL('./paced-process.ts', import.meta.url),
      cleanUp,
    );
    const attacking = startHelper<AttackingOrders>(
      new URL('./attacking-process.ts', import.meta.url),
      cleanUp,
    );
    progress('Opening two organisations');
    const victim = await openVictim(service);
    const endpoint = await attacking.ask('listen');
    const { limitedKey, belongings } = await openHostile(service, { documents, endpoint });

    const { address } = service;
    const phase = async (during: Promise<unknown> = Promise.resolve()) => {
      await blocksOf(service);
      const stopMemory = watchResidentMemory(service.pid);
      const paced = pacing.ask('pace', ordersOf(service, victim, minuteMs));
      const measured = await Promise.race([paced, service.died]);
      await during;
      const { processorMs, delayMs } = await blocksOf(service);
      const eventLoop = {
        longestBlockMs: round(processorMs, 1),
        longestDelayMs: round(delayMs, 1),
      };
      const tenantDelayMs = round(measured.ownDelayMs, 1);
      return { ...summaries(measured.paced), eventLoop, tenantDelayMs, residentMib: stopMemory() };
    };
    progress(`Prepared ${await attacking.ask('prepare', { belongings, minutes })} hostile calls`);
    progress('Warming up');
    await pacing.ask('pace', ordersOf(service, victim, warmUpMs));
    progress('Measuring the tenant alone');
    const alone = await phase();
    const beside: (Awaited<ReturnType<typeof phase>> & { readonly attacked: Attacked })[] = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      progress(`Measuring beside the hostile key: minute ${minute + 1} of ${minutes}`);
      const attack = attacking.ask('attack', { address, key: limitedKey, minute });
      beside.push({ ...(await phase(attack)), attacked: await attack });
    }
    return {
      postgres: service.postgres,
      setting: { minutes, documents, limits: '60 requests a minute, 10,000 a day' },
      alone,
      beside,
      target,
      met: beside.every(({ calls: { proof, healthz } }) => {
        return proof.p99 < target.proofP99Ms && healthz.p99 < target.healthP99Ms;
      }),
    };
  },
});

function ordersOf({ address }: ServiceProcess, { key, proofIds }: Victim, ms: number) {
  const api = `${address}/api/v1`;
  const own = (name: string, perSecond: number, paths: readonly string[]): PacedOrder => {
    return { name, urls: paths.map((path) => api + path), key, perSecond, ms };
  };
  return [
    own(
      'proof',
      20,
      proofIds.map((id) => `/proofs/${id}`),
    ),
    { name: 'healthz', urls: [`${address}/healthz`], perSecond: 20, ms },
    own('documents', 2, ['/documents?limit=100', '/documents?search=contract']),
    own('runs', 1, ['/agent/runs', '/agent/decisions']),
    { ...own('report', 1, ['/agent/runs']), post: `{"runId":"${randomUUID()} $n"}` },
    own(
      'certificate',
      1,
      proofIds.map((id) => `/certificates/${id}`),
    ),
  ];
}

function summaries(paced: Readonly<Record<string, Paced>>) {
  const calls = Object.fromEntries(
    Object.entries(paced).map(([name, { perSecond, statuses, latencyMs }]) => {
      const { p50, p99, max } = latencyMs;
      return [name, { perSecond: round(perSecond, 1), statuses, p50, p99, max }];
    }),
  );
  // There is one summary per order.
  return { calls: calls as typeof calls & Record<'proof' | 'healthz', { readonly p99: number }> };
}
