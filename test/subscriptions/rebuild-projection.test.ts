import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { type Test, test } from 'tap';
import type { StoreTables } from '../../src/event-store/database.ts';
import { readinessOf } from '../../src/http/service/readiness.ts';
import { awaitPosition } from '../../src/subscriptions/await-position.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { findLiveBuild, listBuilds } from '../../src/subscriptions/projection-builds.ts';
import { projectionStandings } from '../../src/subscriptions/projection-standing.ts';
import { prepareProjection, projectNext } from '../../src/subscriptions/projector.ts';
import {
  fillAnew,
  OtherVersion,
  type RebuildOptions,
  type RebuildProgress,
  RebuildUnderWay,
  rebuildProjection,
} from '../../src/subscriptions/rebuild-projection.ts';
import { NoRollback, rollbackProjection } from '../../src/subscriptions/rollback-projection.ts';
import { runProjection } from '../../src/subscriptions/run-projection.ts';
import { BuildAhead, swapBuild } from '../../src/subscriptions/swap-build.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { countingProjection } from '../support/counting-projection.ts';
import { createTestStore, type TestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { createScriptedGateway } from '../support/scripted-gateway.ts';
import { createServiceRole } from '../support/service-role.ts';
import { until } from '../support/until.ts';

async function start(t: Test, projection = countingProjection()) {
  const site = await createTestStore(t);
  const { db, store, pool, url } = site;
  const locks = openWorkLocks(url);
  t.teardown(() => locks.close());
  await prepareProjection(db, projection);
  let appended = 0;
  const append = async (count: number) => {
    const entries = Array.from({ length: count }, () => {
      appended += 1;
      return markedEntry(`s-${appended}`, 0, `m-${appended}`);
    });
    return (await store.append(entries, {})).lastPosition;
  };
  const rebuild = (options: RebuildOptions = {}, onProgress?: (p: RebuildProgress) => void) =>
    rebuildProjection(
      { db, store, locks, projection, ...(onProgress ? { onProgress } : {}) },
      options,
    );
  const rows = async (table = 'folded') =>
    (await pool.query(`SELECT id, position, mark FROM ${table} ORDER BY id`)).rows;
  return { ...site, locks, append, rebuild, rows };
}

/** Runs a projector with locks of its own, as another process, and returns the function that ends it. */
function follow(
  t: Test,
  { db, store, url }: TestStore,
  projection: Projection,
  onVersionLive: (position: number) => void = () => {},
  onOtherVersion: (version: number) => void = () => {},
) {
  const signal = openLogSignal(url, { pollMs: 20 });
  const locks = openWorkLocks(url);
  const options = { db, store, locks, signal, projection, onVersionLive, onOtherVersion };
  const running = runProjection(options).subscribe();
  const end = async () => {
    running.unsubscribe();
    await signal.close();
    await locks.close();
  };
  t.teardown(end);
  return end;
}

const indexes = async ({ pool }: TestStore, build: number) => {
  const text = "SELECT indexdef FROM pg_indexes WHERE tablename = 'folded_v' || $1 ORDER BY 1";
  const { rows } = await pool.query<{ indexdef: string }>(text, [build]);
  return rows.map(({ indexdef }) => indexdef.replaceAll(`_v${build}`, '_v'));
};

test('a rebuild replaces the live build, and keeps the previous one', async (t) => {
  const site = await start(t);
  const { append, rebuild, rows, db } = site;
  await append(300);
  while ((await projectNext(db, site.store, countingProjection())) !== 300);
  const before = await rows();
  const phases = new Set<string>();
  t.match(await rebuild({}, ({ phase }) => phases.add(phase)), {
    outcome: 'swapped',
    build: 2,
    position: 300,
    comparison: { position: 300, tables: [{ table: 'folded', count: 0, rows: [] }] },
  });
  t.strictSame([...phases], ['reading', 'indexing', 'comparing', 'swapping']);
  t.strictSame(await rows(), before);
  t.strictSame(await indexes(site, 2), await indexes(site, 1), 'same indexes');
  t.match(await listBuilds(db, 'counting'), [
    { build: 1, status: 'kept' },
    { build: 2, status: 'live', position: 300 },
  ]);
  await append(1);
  await projectNext(db, site.store, countingProjection());
  t.equal((await rows()).length, 301, 'the new build is followed');
  t.equal((await rows('folded_v1')).length, 300, 'the previous build is unchanged');
  await rebuild();
  t.match(await listBuilds(db, 'counting'), [
    { build: 2, status: 'kept' },
    { build: 3, status: 'live', position: 301 },
  ]);
  await t.rejects(rows('folded_v1'), /does not exist/, 'the build kept before is deleted');
});

test('differing rows stop the rebuild and are reported, unless they are accepted', async (t) => {
  const { append, rebuild, rows, pool, db, store } = await start(t);
  await append(30);
  await projectNext(db, store, countingProjection());
  await pool.query(`UPDATE folded_v1 SET mark = 'secret' WHERE id = 7`);
  await pool.query('DELETE FROM folded_v1 WHERE id = 9');
  await pool.query(`INSERT INTO folded_v1 VALUES (99, 99, 'more')`);
  const stopped = await rebuild({ mostRows: 2 });
  t.match(stopped, { outcome: 'different', build: 2, comparison: { position: 30 } });
  t.strictSame(stopped.comparison.tables, [
    {
      table: 'folded',
      columns: { first: [], second: [] },
      count: 3,
      rows: [
        { table: 'folded', key: { id: '7' }, found: 'different', columns: ['mark'] },
        { table: 'folded', key: { id: '9' }, found: 'only in the second', columns: [] },
      ],
    },
  ]);
  t.notMatch(JSON.stringify(stopped), 'secret');
  t.match(await findLiveBuild(db, 'counting'), { build: 1 });
  const states = async () =>
    (await projectionStandings(db, ['counting'], new Date())).map(({ state }) => state);
  t.strictSame(await states(), ['live', 'interrupted']);
  t.match(await rebuild({ resume: true, showValues: true }), {
    outcome: 'different',
    build: 2,
    comparison: {
      tables: [
        { rows: [{ values: { first: { mark: 'secret' }, second: { mark: 'm-7' } } }, {}, {}] },
      ],
    },
  });
  t.match(await rebuild({ acceptDifferences: true }), { outcome: 'swapped', build: 2 });
  t.equal((await rows())[6]?.mark, 'm-7');
  t.equal((await rows()).length, 30);
});

test('a concurrent rebuild is refused, and an interrupted one starts again', async (t) => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let arrived = () => {};
  const working = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const projection = countingProjection({
    onBatch: () => {
      arrived();
      return held;
    },
  });
  const site = await start(t);
  const { append, rebuild, rows, db, store, url, pool, locks } = site;
  await append(20);
  await projectNext(db, store, countingProjection());
  const others = openWorkLocks(url);
  t.teardown(() => others.close());
  const cancelling = new AbortController();
  const { signal: cancelled } = cancelling;
  const first = rebuildProjection({ db, store, locks, projection, cancelled });
  await working;
  const second = rebuildProjection({ ...site, locks: others, projection });
  await t.rejects(second, RebuildUnderWay);
  t.match(await projectionStandings(db, ['counting'], new Date()), [
    { state: 'live', lagEvents: 0, lagSeconds: 0 },
    { state: 'building', build: 2, position: 0, lagEvents: 20 },
  ]);
  cancelling.abort();
  letGo();
  await t.rejects(first, { name: 'AbortError' });
  t.match(await listBuilds(db, 'counting'), [{ position: 20 }, { build: 2, position: 20 }]);
  // Rows written meanwhile by another program are not trusted.
  await pool.query(`UPDATE folded_v2 SET mark = 'wrong'`);
  t.match(await rebuild(), { outcome: 'swapped', build: 2 });
  t.equal((await rows())[0]?.mark, 'm-1');
});

test('a build continues where it was after its connections were cut', async (t) => {
  let batches = 0;
  const { append, rows, db, store, pool, locks } = await start(t);
  await append(30);
  while ((await projectNext(db, store, countingProjection())) !== 30);
  const before = await rows();
  const projection = countingProjection({
    onBatch: async () => {
      batches += 1;
      if (batches !== 2) return;
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
    },
  });
  const rebuilt = await rebuildProjection({ db, store, locks, projection, pageSize: 20 });
  t.match(rebuilt, { outcome: 'swapped', build: 2, position: 30 });
  t.equal(batches, 3, 'one of two pages was folded twice');
  t.strictSame(await rows(), before);
});

test('a comparison begins anew after the session with the lock was ended', async (t) => {
  const { append, db, store, locks } = await start(t);
  await append(30);
  const projection = countingProjection();
  while ((await projectNext(db, store, projection)) !== 30);
  let phase = '';
  let ended = 0;
  /** Ends the session of the first transaction of the comparison, after its work. */
  const transaction = () => ({
    execute: (work: (trx: Transaction<StoreTables>) => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        const done = await work(trx);
        ended += 1;
        if (ended === 1) await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(trx);
        return done;
      }),
  });
  const ending = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' && phase === 'comparing') return transaction;
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const onProgress = (progress: RebuildProgress) => {
    phase = progress.phase;
  };
  const rebuilt = await rebuildProjection({ db: ending, store, locks, projection, onProgress });
  t.match(rebuilt, { outcome: 'swapped', position: 30 });
  t.equal(ended, 2);
  const { rows } = await sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'`.execute(db);
  t.same(rows, [], 'no snapshot stays open');
});

test('during repeated rebuilds no reader fails, misses its own writes or goes back', async (t) => {
  const projection = countingProjection();
  const site = await start(t, projection);
  const { append, rebuild, db } = site;
  const end = follow(t, site, projection);
  await append(500);
  let written = 500;
  let isOver = false;
  const writing = async () => {
    while (!isOver) {
      written = await append(3);
      await awaitPosition(db, 'counting', written, { timeoutMs: 60_000 });
    }
  };
  let reads = 0;
  const reading = async () => {
    for (let seen = 0; !isOver; reads += 1) {
      const due = written;
      await awaitPosition(db, 'counting', due, { timeoutMs: 60_000 });
      const { rows } = await sql<{ count: number; other: number }>`
        SELECT count(*), (SELECT max(id) FROM folded) AS other FROM folded`.execute(db);
      const count = rows[0]?.count ?? 0;
      if (count < due || count < seen || count !== rows[0]?.other) {
        throw new Error(`${count} rows and ${rows[0]?.other}, after ${seen} of ${due}`);
      }
      seen = count;
    }
  };
  const looking = async () => {
    for (let seen = 0; !isOver; ) {
      const { rows } = await sql<{ count: number }>`SELECT count(*) FROM folded`.execute(db);
      const count = rows[0]?.count ?? 0;
      if (count < seen) throw new Error(`${count} rows after ${seen}`);
      seen = count;
    }
  };
  const others = [writing(), reading(), reading(), reading(), looking()];
  for (let build = 2; build < 6; build += 1) {
    t.match(await rebuild(), { outcome: 'swapped', build });
  }
  isOver = true;
  await Promise.all(others);
  await end();
  t.ok(reads > 20, `${reads} reads`);
});

test('a build goes live at the position of the previous one, or beyond it only with mayLead', async (t) => {
  const site = await start(t);
  const { append, rows, db, store } = site;
  const projection = countingProjection();
  const swap = (build: number, mayLead = false) =>
    swapBuild({ db, store, projection, build, mayLead });
  await append(10);
  await projectNext(db, store, projection);
  const second = await fillAnew({ ...site, projection });
  await append(5);
  await projectNext(db, store, projection);
  t.strictSame(await swap(second), { position: 15, before: 1 });
  t.equal((await rows()).length, 15);
  await append(2);
  const third = await fillAnew({ ...site, projection }, { mayLead: true });
  await t.rejects(swap(third), BuildAhead);
  t.match(await findLiveBuild(db, 'counting'), { build: second, position: 15 });
  t.strictSame(await swap(third, true), { position: 17, before: second });
  t.equal((await rows()).length, 17);
});

test('an open query delays the swap, and other queries only for a moment', async (t) => {
  const { append, rebuild, db, store, pool } = await start(t);
  await append(10);
  await projectNext(db, store, countingProjection());
  const holder = await pool.connect();
  await holder.query('BEGIN; SELECT * FROM folded');
  const rebuilding = rebuild();
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'";
  await until('the swap waits', async () => ((await pool.query(waiting)).rowCount ?? 0) > 0);
  const others = await pool.query('SELECT * FROM folded');
  t.equal(others.rowCount, 10, 'answered while the first one is still open');
  t.match(await findLiveBuild(db, 'counting'), { build: 1 });
  await holder.query('COMMIT');
  holder.release();
  t.match(await rebuilding, { outcome: 'swapped', build: 2 });
});

test('a later version goes live by itself, beside projectors of the previous one', async (t) => {
  const old = countingProjection();
  const site = await start(t, old);
  const { append, rows, db, store, rebuild } = site;
  const endOld = follow(t, site, old);
  await append(100);
  const next = countingProjection({ version: 2, markOf: (mark) => `${mark}!` });
  await t.rejects(rebuildProjection({ ...site, projection: next }), OtherVersion);
  const readiness = (projection: Projection) =>
    readinessOf({
      db,
      store,
      projections: [projection],
      commits: async () => null,
      network: { gateway: createScriptedGateway('testnet'), paused: () => null },
    })();
  t.strictSame(await readiness(next), ['projection counting: version 2 is not live yet']);
  t.strictSame(await readiness(old), []);
  const live: number[] = [];
  const endNext = follow(t, site, next, (position) => live.push(position));
  const endOther = follow(t, site, next, (position) => live.push(position));
  await until(
    'version 2 is live',
    async () => (await findLiveBuild(db, 'counting'))?.version === 2,
  );
  const written = await append(1);
  await awaitPosition(db, 'counting', written, { timeoutMs: 60_000 });
  t.equal((await rows()).at(-1)?.mark, 'm-101!');
  t.equal((await rows()).length, 101);
  t.strictSame(await readiness(next), []);
  await until('the running projector has noticed', async () => live.length === 1);
  t.ok(live[0] === 100 || live[0] === 101);
  await t.rejects(rebuild(), OtherVersion, 'the old program does not rebuild the new version');
  t.equal(
    await projectNext(db, store, old),
    null,
    'the old program does not write into the new version',
  );

  await rollbackProjection({ ...site, projection: old });
  const after = await append(1);
  await awaitPosition(db, 'counting', after, { timeoutMs: 60_000 });
  t.equal((await rows()).at(-1)?.mark, 'm-102', 'after a rollback the old version is followed');
  await delay(100);
  t.match(
    await findLiveBuild(db, 'counting'),
    { version: 1 },
    'the new program leaves it unchanged',
  );
  const others: number[] = [];
  const endLater = follow(t, site, next, undefined, (version) => others.push(version));
  await until('a projector started now reports it', async () => others.length > 0);
  t.strictSame(others, [1]);
  await Promise.all([endOld(), endNext(), endOther(), endLater()]);
});

test('after a rollback the previous build has caught up and is live', async (t) => {
  const { append, rebuild, rows, db, store, locks } = await start(t);
  const projection = countingProjection();
  const rollback = (of = projection) => rollbackProjection({ db, store, locks, projection: of });
  await t.rejects(rollback(), NoRollback);
  await append(5);
  await projectNext(db, store, projection);
  await rebuild();
  await append(5);
  await projectNext(db, store, projection);
  await t.rejects(rollback(countingProjection({ version: 2 })), NoRollback);
  t.match(await rollback(), { build: 1, position: 10 });
  t.equal((await rows()).length, 10);
  await append(1);
  await projectNext(db, store, projection);
  t.equal((await rows('folded_v1')).length, 11);
  await rebuild();
  t.match(await listBuilds(db, 'counting'), [
    { build: 1, status: 'kept' },
    { build: 3, status: 'live' },
  ]);
});

test('a rebuild keeps the build of the release before, which can go live again', async (t) => {
  const site = await start(t);
  const { append, db, store, locks } = site;
  await append(5);
  await projectNext(db, store, countingProjection());
  const next = countingProjection({ version: 2 });
  const end = follow(t, site, next);
  const isLive = async () => (await findLiveBuild(db, 'counting'))?.version === 2;
  await until('version 2 is live', isLive);
  await end();
  t.match(await rebuildProjection({ db, store, locks, projection: next }), { outcome: 'swapped' });
  t.match(await listBuilds(db, 'counting'), [
    { build: 1, version: 1, status: 'kept' },
    { build: 3, version: 2, status: 'live' },
  ]);
  await rollbackProjection({ db, store, locks, projection: countingProjection() });
  t.match(await listBuilds(db, 'counting'), [
    { build: 1, version: 1, status: 'live' },
    { build: 3, version: 2, status: 'kept' },
  ]);
});

test('a build made by the database owner belongs to the role of the service', async (t) => {
  const role = await createServiceRole(t);
  const { append, rebuild, url, db, store } = await start(t);
  await append(20);
  await projectNext(db, store, countingProjection());
  const service = new pg.Client({ connectionString: await role.grant(url) });
  await service.connect();
  t.teardown(() => service.end());
  const count = async () => (await service.query('SELECT count(*)::int AS rows FROM folded')).rows;
  t.strictSame(await count(), [{ rows: 20 }]);
  t.match(await rebuild(), { outcome: 'swapped', build: 2 });
  t.strictSame(await count(), [{ rows: 20 }], 'reads the live build');
  await t.resolves(service.query('DELETE FROM folded_v2'), 'may write to it');
  // A build with other columns has a view of its own.
  await service.query('ALTER VIEW folded RENAME COLUMN mark TO former');
  t.match(await rebuild({ acceptDifferences: true }), { outcome: 'swapped', build: 3 });
  t.strictSame(await count(), [{ rows: 20 }], 'even if the view had to be made again');
});
