import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { lastPublished } from '../../src/transparency-log/published/published-checkpoints.ts';
import { AnchorAudit } from '../audit/anchors/anchor-audit.ts';
import { exportLog } from '../audit/export/export-log.ts';
import { Findings } from '../audit/findings/findings.ts';
import { auditLog } from '../audit/log/audit-log.ts';
import { ReferenceAudit } from '../audit/streams/reference-audit.ts';
import { readOnThreads } from '../audit/threads/read-checked-rows.ts';
import { openBenchLog, openKeptLog } from './harness/bench-log.ts';
import { benchmark, count, optionalText } from './harness/benchmark.ts';
import { round } from './harness/figures.ts';
import { watchResidentMemory } from './harness/memory.ts';
import { fillLongLog } from './samples/long-log.ts';

/**
 * `ops audit export` and `ops audit verify` of a typical log, published and encrypted, on the
 * embedded PostgreSQL, with threads: rows, leaves, tree, tiles, checkpoints and streams; then also the
 * references between events; then also every anchored event, with its signature.
 */
export const audit = benchmark({
  name: 'audit',
  description: 'export and verification of the history',
  options: {
    events: count('events in the log', 200_000),
    checkpoints: count('published checkpoints', 1_752),
    folder: optionalText('<folder>', 'keeps the log in this folder, and goes on with one in it'),
  },
  async measure({ events, checkpoints, folder }, cleanUp) {
    const opened =
      folder === undefined
        ? { ...(await openBenchLog(cleanUp)), logSeed: randomBytes(32) }
        : await openKeptLog(cleanUp, resolve(folder));
    const { dataDir, postgres, pool, db, store, masterKey, logSeed } = opened;
    const { url } = postgres;
    if ((await store.head()) < events) {
      const size = { typical: events, events, hasValidAnchors: true };
      await fillLongLog(cleanUp, { url, masterKey, ...size });
    }
    const head = await store.head();
    const published = await openLogStorage(pathToFileURL(join(dataDir, 'files')).href);
    cleanUp.defer(() => published.close());
    const seeds = [logSeed];
    const publisher = new Publisher({
      store,
      leaves: createLeaves(pool),
      history: db,
      published,
      seeds,
      maxEvents: Math.ceil(head / checkpoints),
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
    const verify = async (also: readonly ('references' | 'anchors')[] = []) => {
      const findings = new Findings();
      const hasAnchors = also.includes('anchors');
      const anchors = hasAnchors ? new AnchorAudit({ ask: null, findings }) : null;
      const references = also.includes('references') ? new ReferenceAudit(findings) : null;
      const readLog = readOnThreads(url, {
        verifiesBlobs: hasAnchors,
        findsThings: references !== null,
      });
      const of = { database: pool, readLog, published, trusted: null, findings };
      const audited = { ...of, ...(anchors && { anchors }), ...(references && { references }) };
      const measured = await timed(async () => (await auditLog(audited)).events);
      anchors?.close();
      references?.close();
      return { ...measured, faults: findings.count };
    };
    const findings = new Findings();
    const database = { database: pool, organisationId: null, decrypt: null, findings };
    const file = join(dataDir, 'history.ndjson');
    await rm(file, { force: true });
    const exporting = await timed(async () => (await exportLog({ ...database, file })).written);
    const log = await verify();
    const withReferences = await verify(['references']);
    const withAnchors = await verify(['references', 'anchors']);
    return {
      postgres,
      setting: { events: head, checkpoints: (await lastPublished(db))?.number ?? 0 },
      export: exporting,
      verify: { log, withReferences, withAnchors },
      met: withAnchors.faults === 0,
    };
  },
});
