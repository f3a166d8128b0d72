import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { check } from '../../src/transparency-log/guard/check.ts';
import { proveEvent } from '../../src/transparency-log/inclusion/prove-event.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { lastPublished } from '../../src/transparency-log/published/published-checkpoints.ts';
import { rootAt } from '../../src/transparency-log/tree/root-at.ts';
import { openBenchLog } from './harness/bench-log.ts';
import { benchmark, count } from './harness/benchmark.ts';
import { round, timed } from './harness/figures.ts';
import { describeDisk } from './harness/machine.ts';
import { progress } from './harness/progress.ts';

const stepEvents = 50;
const rowsAtOnce = 100_000;

/**
 * Publishes the tree of a long, unpublished log, and again as the log grows. Then measures the
 * comparison at a start, and inclusion proofs. PostgreSQL is the server; the publisher runs in this
 * process.
 */
export const publish = benchmark({
  name: 'publish',
  description: 'publishing the tree of a long log, from nothing and as it grows',
  options: {
    events: count('events in the log', 1_000_000),
    steps: count('number of small growths, comparisons and proofs', 200),
  },
  async measure({ events, steps }, cleanUp) {
    const { dataDir, postgres, pool, db, store } = await openBenchLog(cleanUp);
    await fill(pool, events);

    const folder = join(dataDir, 'published');
    const published = await openLogStorage(pathToFileURL(folder).href);
    const leaves = createLeaves(pool);
    const parts = { store, leaves, history: db, published, seeds: [randomBytes(32)] };
    const publisher = new Publisher(parts);
    const memory: number[] = [];
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    for (let isBehind = true; isBehind; ) {
      const step = await publisher.publish();
      isBehind = step.isBehind;
      memory.push(process.memoryUsage.rss() / 2 ** 20);
      progress(`published ${step.size} of ${events} events`);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const spent = process.cpuUsage(cpu);

    const stepMs: number[] = [];
    for (let step = 0; step < steps; step += 1) {
      await fill(pool, events + (step + 1) * stepEvents);
      stepMs.push(await timed(() => publisher.publish()));
    }
    const comparisonMs: number[] = [];
    const proofMs: number[] = [];
    const last = await lastPublished(db);
    if (last === null) throw new Error('nothing was published');
    for (let n = 0; n < steps; n += 1) {
      comparisonMs.push(await timed(() => check('publishing', parts)));
      const position = 1 + Math.floor((n / steps) * (last.size - 1));
      proofMs.push(await timed(() => proveEvent({ leaves, published, db }, position, last)));
    }
    const rootMs = await timed(() => rootAt(leaves, last.size));
    const resumeMs = await timed(() => new Publisher(parts).publish());
    const third = Math.ceil(memory.length / 3);
    return {
      postgres,
      disk: await describeDisk(dataDir),
      setting: { events, steps, stepEvents, storage: 'a folder; every tile fsynced' },
      catchingUp: {
        seconds: round(seconds, 1),
        eventsPerSecond: Math.round(events / seconds),
        processorSeconds: round((spent.user + spent.system) / 1e6, 1),
        checkpoints: memory.length,
        files: (await readdir(folder, { recursive: true })).length,
        memoryMib: {
          firstThird: round(Math.max(...memory.slice(0, third)), 1),
          lastThird: round(Math.max(...memory.slice(-third)), 1),
        },
      },
      growing: { eventsEachTime: stepEvents, ...quantiles(stepMs) },
      comparisonAtStart: quantiles(comparisonMs),
      rootFromAllLeavesMs: round(rootMs, 1),
      takingOverMs: round(resumeMs, 1),
      inclusionProof: quantiles(proofMs),
    };
  },
});

/** Adds rows with the length of small events and hashes as leaves; only the leaves are read. */
async function fill(pool: pg.Pool, events: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ position: number }>('SELECT position FROM log_head');
    const from = rows[0]?.position ?? 0;
    if (from >= events) return;
    const to = Math.min(events, from + rowsAtOnce);
    await pool.query(
      `WITH added AS (
         INSERT INTO events
         SELECT n, NULL, 'bench-' || n, 1, 'BENCH' || n, 'AccountRetired', 1,
           '2026-11-21T01:06:32.104Z', repeat('x', 300), '{}', sha256(n::text::bytea)
         FROM generate_series($1::bigint + 1, $2::bigint) AS n)
       UPDATE log_head SET position = $2`,
      [from, to],
    );
    if (to % rowsAtOnce === 0) progress(`Filled the log with ${to} of ${events} events`);
  }
}

function quantiles(ms: readonly number[]) {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, 1);
  return { medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
