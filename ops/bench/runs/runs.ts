import { benchmark, count } from '../harness/benchmark.ts';
import { createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { watchResidentMemory } from '../harness/memory.ts';
import { familyOf } from '../harness/processor-times.ts';
import { startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { openTenant } from '../harness/tenant.ts';
import type { RunCallersOrders } from './callers-process.ts';
import { measureDecisions } from './queries.ts';

const tenant = {
  workspaces: ['a', 'b', 'c', 'd', 'e'],
  scopes: 'documents:write,documents:read',
  agent: true,
} as const;
const callers = 8;
const largest = { decisions: 5_000, decisionBytes: 1_650 } as const;

/**
 * Runs of agents in the program as `npm start` runs it, with its database. Reports an
 * organisation's runs through POST /agent/runs. Then one caller in a separate process lists its
 * decisions through GET /agent/decisions. Last, reports runs of the maximum size for another
 * organisation.
 */
export const runs = benchmark({
  name: 'runs',
  description: 'decisions of very many runs of agents, listed with each filter over HTTP',
  options: {
    runs: count('runs of one organisation', 10_000),
    decisions: count('decisions of each run', 100),
    queries: count('queries with each filter', 200),
    large: count('runs of 8 MB, reported at once', 8),
  },
  async measure({ runs, decisions, queries, large }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const service = await startService(dataDir, {}, cleanUp);
    const { ask } = startHelper<RunCallersOrders>(
      new URL('./callers-process.ts', import.meta.url),
      cleanUp,
    );

    const account = await openTenant(service, tenant);
    progress(`Reporting ${runs} runs`);
    const reportMs = await ask('report', { account, first: 0, count: runs, decisions, callers });
    // PostgreSQL's present processes, among them the service's connections.
    const pids = [service.pid, ...(await familyOf(service.postgres.pid))];
    const asked = await measureDecisions({
      ask: (path) => Promise.race([ask('ask', { account, path }), service.died]),
      ...{ runs, decisions, workspaces: account.workspaces, queries, pids },
    });

    progress(`Reporting ${large} runs of 8 MB at once`);
    const other = await openTenant(service, tenant);
    const stopMemory = watchResidentMemory(service.pid);
    const order = { account: other, first: 0, count: large, callers: large, ...largest };
    const largeMs = large > 0 ? await ask('report', order) : 0;
    const listed = await ask('ask', { account: other, path: '/agent/decisions' });
    const readBack = await ask('readBack', order);
    return {
      postgres: service.postgres,
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
  },
});
