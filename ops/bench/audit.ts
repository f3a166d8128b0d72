import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { AnchorAudit } from '../audit/anchor-audit.ts';
import { auditLog } from '../audit/audit-log.ts';
import { exportLog } from '../audit/export-log.ts';
import { Findings } from '../audit/findings.ts';
import { benchmark, count } from './harness/benchmark.ts';
import { round } from './harness/figures.ts';
import { watchResidentMemory } from './harness/memory.ts';
import { openFilledLog } from './samples/mixed-log.ts';

/**
 * `ops audit export` and `ops audit verify` of a typical log, published and encrypted, on the
 * embedded PostgreSQL: rows, leaves, tree, tiles, checkpoints and streams; then also every anchored
 * event. The anchors are synthetic, so each of them is a fault.
 */
export const audit = benchmark({
  name: 'audit',
  description: 'export and verification of the history',
  options: { events: count('events in the log', 200_000) },
  async measure({ events }, cleanUp) {
    const { dataDir, postgres, pool, db, store } = await openFilledLog(cleanUp, events);
    const published = await openLogStorage(pathToFileURL(join(dataDir, 'files')).href);
    cleanUp.defer(() => published.close());
    const seeds = [randomBytes(32)];
    const publisher = new Publisher({
      store,
      leaves: createLeaves(pool),
      history: db,
      published,
      seeds,
    });
    while ((await publisher.publish()).isBehind);

    const timed = async (work: () => Promise<number>) => {
      const memory = watchResidentMemory(process.pid);
      const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
      const done = await work();
      const seconds = (performance.now() - startedAt) / 1_000;
      const { user, system } = process.cpuUsage(cpu);
      return {
        eventsPerSecond: Math.round(done / seconds),
        seconds: round(seconds, 2),
        processorMs: round((user + system) / 1_000),
        residentMib: memory(),
      };
    };
    const verify = async (anchors?: AnchorAudit) => {
      const findings = new Findings();
      const trusted = null;
      const of = { database: pool, published, trusted, findings, ...(anchors ? { anchors } : {}) };
      const measured = await timed(async () => (await auditLog(of)).events);
      anchors?.close();
      return { ...measured, faults: findings.count };
    };
    const findings = new Findings();
    const database = { database: pool, organisationId: null, decrypt: null, findings };
    const file = join(dataDir, 'history.ndjson');
    const exporting = await timed(async () => (await exportLog({ ...database, file })).written);
    const log = await verify();
    const withAnchors = await verify(new AnchorAudit({ ask: null, findings: new Findings() }));
    return {
      postgres,
      setting: { events: await store.head() },
      export: exporting,
      verify: { log, withAnchors },
      met: log.faults === 0,
    };
  },
});
