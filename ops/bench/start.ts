import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { projections } from '../../projections/registry.ts';
import { openBuildReaders } from '../../src/database-threads/open-build-readers.ts';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { eachProjection } from '../../src/subscriptions/each-projection.ts';
import { fillAnew, goLive } from '../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { benchmark, count } from './harness/benchmark.ts';
import { createBenchFolder, withCleanUp } from './harness/clean-up.ts';
import { round, timed } from './harness/figures.ts';
import { openStore } from './harness/open-store.ts';
import { startService } from './harness/programs.ts';
import { progress } from './harness/progress.ts';
import { fillLongLog } from './samples/long-log.ts';

const targetSeconds = 5;
const settings = { METRICS_PORT: 'off' };

/**
 * Starts of the program on a long log with all read models and the published tree up to date: from
 * the start of the process until `/readyz` is 200. Includes the embedded PostgreSQL and the
 * standalone ledger. Then the first list of documents of an organisation.
 */
export const start = benchmark({
  name: 'start',
  description: 'starts of the program on a long log, also after a kill',
  options: {
    events: count('events in the log', 10_000_000),
    typical: count(
      'events that resemble a service in use; the others only claim hashes',
      2_000_000,
    ),
    starts: count('number of starts of each kind', 5),
  },
  async measure({ events, typical, starts }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    await withCleanUp((own) => startService(dataDir, settings, own));
    const small = await measureStarts(dataDir, starts);
    const { organisationIds, ...filling } = await fill(dataDir, { events, typical });
    const settlingMs = await timed(() => settle(dataDir));
    const [organisationId = ''] = organisationIds;
    const long = await measureStarts(dataDir, starts, organisationId);
    const seconds = Math.max(...long.afterStop.seconds, ...long.afterKill.seconds);
    return {
      postgres: null,
      setting: { events, typical, starts, ...filling, settlingSeconds: round(settlingMs / 1_000) },
      targetSeconds,
      met: seconds < targetSeconds,
      emptyLog: small,
      longLog: long,
    };
  },
});

/** Fills the log, and builds every read model, beside no service. */
async function fill(dataDir: string, size: { readonly events: number; readonly typical: number }) {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const masterKey = await readOrCreateMasterKey(dataDir, { mayCreate: false });
    const { url } = postgres;
    let organisationIds: readonly string[] = [];
    const fillingMs = await timed(() =>
      withCleanUp(async (own) => {
        ({ organisationIds } = await fillLongLog(own, { url, masterKey, ...size }));
      }),
    );
    const { db, pool, store, close } = openStore(url, { masterKey, maxConnections: 16 });
    const locks = openWorkLocks(url);
    const readers = openBuildReaders({ url, masterKeys: { present: masterKey } });
    const buildingMs = await timed(() =>
      eachProjection(projections, async (projection) => {
        const rebuilding = { db, store, locks, readers, projection };
        const build = await fillAnew(rebuilding, { mayLead: true });
        await goLive(rebuilding, build, { mayLead: true });
        progress(`Built ${projection.name}`);
      }),
    );
    // As in operation: every proof is settled, and every ledger attested.
    const settled = `UPDATE checkpoints SET position = (SELECT position FROM log_head)
      WHERE status = 'live' AND state IS NOT NULL`;
    await pool.query(settled);
    await pool.query(
      "UPDATE checkpoints SET position = (SELECT position FROM log_head) WHERE name = 'webhook deliveries'",
    );
    await readers.close();
    await locks.close();
    await close();
    return {
      organisationIds,
      fillingSeconds: round(fillingMs / 1_000),
      buildingSeconds: round(buildingMs / 1_000),
    };
  } finally {
    await postgres.stop();
  }
}

/** Runs the program until every reader of the log is at its head, and the log is published. */
async function settle(dataDir: string): Promise<void> {
  await withCleanUp(async (own) => {
    const { postgres } = await startService(dataDir, settings, own);
    const { pool, close } = openStore(postgres.url, {
      masterKey: Buffer.alloc(32),
      maxConnections: 1,
    });
    own.defer(close);
    while (!(await isSettled(pool))) await delay(1_000);
  });
}

async function isSettled(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readonly head: number; readonly least: number }>(
    `SELECT position AS head,
      least((SELECT min(position) FROM checkpoints WHERE status = 'live'),
            (SELECT max(size) FROM published_checkpoints)) AS least
     FROM log_head`,
  );
  const { head = 0, least = 0 } = rows[0] ?? {};
  progress(`All readers have reached ${least} of ${head} events`);
  return least >= head;
}

async function measureStarts(dataDir: string, starts: number, organisationId?: string) {
  const afterStop = await repeat(starts, () => measureStart(dataDir, organisationId, 'stop'));
  // The first of these ends in a kill, and so does each one that is measured.
  await measureStart(dataDir, organisationId, 'kill');
  const afterKill = await repeat(starts, () => measureStart(dataDir, organisationId, 'kill'));
  return { afterStop: inColumns(afterStop), afterKill: inColumns(afterKill) };
}

async function measureStart(dataDir: string, organisationId = '', end: 'stop' | 'kill') {
  let firstListMs: number | null = null;
  const seconds = await withCleanUp(async (own) => {
    const startedAt = performance.now();
    const service = await startService(dataDir, settings, own);
    const ready = (performance.now() - startedAt) / 1_000;
    if (organisationId !== '') {
      const { key = '' } = await service.operate(
        ...([
          'key',
          'create',
          '--organisation',
          organisationId,
          '--scopes',
          'documents:read',
        ] as const),
      );
      const headers = { authorization: `Bearer ${key}` };
      firstListMs = await timed(async () => {
        const answer = await fetch(`${service.address}/api/v1/documents?limit=20`, { headers });
        if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      });
    }
    // PostgreSQL first: it ends without a checkpoint, and the next start recovers.
    if (end === 'kill') for (const pid of [service.postgres.pid, service.pid]) kill(pid);
    return ready;
  });
  return { seconds, firstListMs };
}

function kill(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await work());
  return results;
}

function inColumns(measured: readonly Awaited<ReturnType<typeof measureStart>>[]) {
  const lists = measured.flatMap(({ firstListMs }) => (firstListMs === null ? [] : [firstListMs]));
  return {
    seconds: measured.map(({ seconds }) => round(seconds, 2)),
    ...(lists.length > 0 && { firstListMs: lists.map((ms) => round(ms)) }),
  };
}
