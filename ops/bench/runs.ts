import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { startHelper } from './helper-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { postgresVersion } from './postgres-version.ts';
import { family, readProcesses } from './processes.ts';
import { progress } from './progress.ts';
import { watchResidentMemory } from './resident-memory.ts';
import type { RunCallersOrders, RunsAccount } from './run-callers-process.ts';
import { measureDecisions } from './runs-queries.ts';
import { type ServiceProcess, startService } from './service-process.ts';

export interface RunsOptions {
  readonly runs: number;
  /** Of each run. */
  readonly decisions: number;
  /** How often each filter is asked for. */
  readonly queries: number;
  /** Runs of 8 MB, reported at once and read back. */
  readonly large: number;
}

const callers = 8;
const largest = { decisions: 5_000, decisionBytes: 1_650 } as const;

/**
 * The program as `npm start` runs it, its database included: an organisation's runs are reported
 * through POST /agent/runs, then its decisions asked for through GET /agent/decisions by one caller
 * in a process of its own. After that, runs as large as may be, of another organisation.
 */
export function benchRuns(options: RunsOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ runs, decisions, queries, large }: RunsOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const service = await startService(dataDir, {});
  cleanUp.defer(() => service.stop());
  const callersProcess = startHelper<RunCallersOrders>('run-callers-process.ts');
  cleanUp.defer(() => callersProcess.stop());
  const { ask } = callersProcess;

  const account = await openRunsAccount(service);
  progress(`reporting ${runs} runs`);
  const reportMs = await ask('report', { account, first: 0, count: runs, decisions, callers });
  const pids = [service.pid, ...(await backends(service.postgresPid))];
  const asked = await measureDecisions({
    ask: (path) => Promise.race([ask('ask', { account, path }), service.died]),
    ...{ runs, decisions, workspaces: account.workspaces, queries, pids },
  });

  progress(`reporting ${large} runs of 8 MB at once`);
  const other = await openRunsAccount(service);
  const stopMemory = watchResidentMemory(service.pid);
  const order = { account: other, first: 0, count: large, callers: large, ...largest };
  const largeMs = large > 0 ? await ask('report', order) : 0;
  const listed = await ask('ask', { account: other, path: '/agent/decisions' });
  const readBack = await ask('readBack', order);
  return {
    benchmark: 'runs',
    machine: await describeMachine(await postgresVersion(dataDir)),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: { runs, decisions: runs * decisions, queries, limit: 100, client: 'one, over HTTP' },
    reported: {
      callers,
      seconds: round(reportMs / 1_000, 1),
      perSecond: round((runs * 1_000) / reportMs),
    },
    ...asked,
    largest: {
      runs: large,
      seconds: round(largeMs / 1_000, 1),
      decisionsListed: listed.total,
      readBack,
      residentMib: stopMemory(),
    },
    met: asked.met && readBack === large && listed.total === large * largest.decisions,
  };
}

/** An organisation of its own with five workspaces and a key that knows no limits. */
async function openRunsAccount({ address, operate }: ServiceProcess): Promise<RunsAccount> {
  const limits = ['--requests-per-minute', '100000000', '--requests-per-day', '1000000000'];
  const create = ['organisation', 'create', '--name', 'Benchmark', '--plan', 'professional'];
  const { organisationId = '' } = await operate(...create, ...limits);
  const of = ['--organisation', organisationId];
  const workspaces: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const { _id = '' } = await operate('workspace', 'create', ...of, '--name', name);
    workspaces.push(_id);
  }
  const scopes = ['--scopes', 'documents:write,documents:read', '--agent'];
  const { key = '' } = await operate('key', 'create', ...of, ...scopes, ...limits);
  return { address, key, workspaces };
}

/** PostgreSQL's processes as they are now: the service's connections are among them. */
async function backends(postgresPid: number): Promise<readonly number[]> {
  return family(await readProcesses(), postgresPid).map(({ pid }) => pid);
}
