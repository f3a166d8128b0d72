import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { readCpuUse } from './cpu-use.ts';
import { createLatencies } from './latencies.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { watchMemory } from './memory.ts';
import { progress } from './progress.ts';
import { type Account, keepAliveAgent, postProof, type Receipt } from './proof-caller.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { verifyReceipts } from './verify-receipts.ts';

export interface ProofsOptions {
  readonly callers: number;
  /** Measured, after the warm-up. */
  readonly seconds: number;
  /** Long enough for the heaps of the service to find their size. */
  readonly warmUp: number;
}

const target = { proofsPerSecond: 200, memoryPeakGrowth: 1.1 } as const;
const closeMs = 1_000;

/**
 * POST /proofs in a closed loop: each caller waits until its proof is anchored before it posts the
 * next. The service with its ledger is one process, PostgreSQL another, the callers are in this
 * one. Afterwards every proof, also of the warm-up, is verified on the public endpoint.
 */
export function benchProofs(options: ProofsOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ callers, seconds, warmUp }: ProofsOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const service = await startService(dataDir, { STANDALONE_CLOSE_MS: String(closeMs) });
  cleanUp.defer(() => service.stop());
  const account = await openAccount(service);
  const posting = startPosting(account, callers);
  progress(`warming up: ${callers} callers`);
  await Promise.race([delay(warmUp * 1_000), service.died]);

  const cpuBefore = await readCpuUse(service.postgresPid, service.pid);
  const stopMemory = watchMemory(service.pid, service.postgresPid);
  const startedAt = performance.now();
  posting.measure();
  for (let second = 1; second <= seconds; second += 1) {
    await Promise.race([delay(startedAt + second * 1_000 - performance.now()), service.died]);
    if (second % 5 === 0) progress(`${second} s: ${posting.measured()} proofs`);
  }
  const measured = posting.finishMeasuring();
  const ms = performance.now() - startedAt;
  const memory = stopMemory();
  const cpuAfter = await readCpuUse(service.postgresPid, service.pid);
  const receipts = await Promise.race([posting.stop(), service.died]);

  progress(`verifying ${receipts.length} proofs`);
  const verification = await verifyReceipts(service.address, receipts);
  const proofsPerSecond = round((measured.proofs * 1_000) / ms, 1);
  const { proofs, verified, distinctTransactions } = verification;
  const cores = (of: (use: typeof cpuAfter) => number | null) =>
    round(((of(cpuAfter) ?? 0) - (of(cpuBefore) ?? 0)) / ms, 2);
  return {
    benchmark: 'proofs',
    machine: await describeMachine(await postgresVersion(dataDir)),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: {
      callers,
      seconds,
      warmUpSeconds: warmUp,
      ledgerCloseMs: closeMs,
      server: 'src/main.ts with its standalone ledger and embedded PostgreSQL, durable',
      clients: 'callers in the process of the benchmark, keep-alive connections, closed loop',
    },
    results: {
      proofsPerSecond,
      ...measured,
      processors: {
        service: cores((use) => use.service),
        postgres: cores((use) => use.server),
        callers: cores((use) => use.client),
        wholeMachine: cores((use) => use.machine),
      },
      memoryMib: memory,
    },
    verification,
    target,
    met:
      proofsPerSecond >= target.proofsPerSecond &&
      memory.service.peakGrowth <= target.memoryPeakGrowth &&
      verified === proofs &&
      distinctTransactions === proofs,
  };
}

async function openAccount({ address, operate }: ServiceProcess): Promise<Account> {
  const limits = ['--requests-per-minute', '100000000', '--requests-per-day', '1000000000'];
  const create = ['organisation', 'create', '--name', 'Benchmark', '--plan', 'professional'];
  const { organisationId = '' } = await operate(...create, ...limits);
  const of = ['--organisation', organisationId];
  const { _id: workspace = '' } = await operate('workspace', 'create', ...of, '--name', 'Archive');
  const scopes = ['--scopes', 'documents:write,documents:read'];
  const { key = '' } = await operate('key', 'create', ...of, ...scopes, ...limits);
  return { address, key, workspace };
}

function startPosting(account: Account, callers: number) {
  const agent = keepAliveAgent(callers);
  const receipts: Receipt[] = [];
  const latencies = createLatencies();
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  let proofs = 0;
  let measuring = false;
  let posting = true;
  const post = async () => {
    while (posting) {
      const startedAt = performance.now();
      const { status, receipt, text } = await postProof(agent, account);
      if (receipt) receipts.push(receipt);
      else if (failures.length < 5) failures.push(`${status} ${text.slice(0, 300)}`);
      // A caller that is refused at once must not turn the closed loop into a flood.
      if (!receipt) await delay(1_000);
      if (!measuring) continue;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!receipt) continue;
      proofs += 1;
      latencies.record(performance.now() - startedAt);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, post));
  return {
    /** From now on answers count. */
    measure: () => {
      measuring = true;
    },
    measured: () => proofs,
    finishMeasuring: () => {
      measuring = false;
      return { proofs, statuses: { ...statuses }, latencyMs: latencies.summary(), failures };
    },
    /** Every proof there was an answer for, also outside of the measured time. */
    async stop() {
      posting = false;
      await done;
      agent.destroy();
      return receipts;
    },
  };
}

async function postgresVersion(dataDir: string): Promise<string> {
  const found = await findEmbeddedPostgres({ dataDir });
  const client = new pg.Client({ connectionString: found?.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version ?? 'unknown';
  } finally {
    await client.end();
  }
}
