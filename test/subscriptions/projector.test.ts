import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'tap';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { awaitPosition, ProjectionBehind } from '../../src/subscriptions/await-position.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { prepareProjection, projectNext, runProjector } from '../../src/subscriptions/projector.ts';
import { countingProjection } from '../support/counting-projection.ts';
import {
  createTestStore,
  openTestStore,
  type TestStore,
  testDeps,
} from '../support/event-store.ts';
import { createLossyProxy } from '../support/lossy-proxy.ts';
import { markedEntry } from '../support/marked-event.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { seededRandom } from '../support/seed.ts';
import { until } from '../support/until.ts';

const checkpoints = async ({ pool }: TestStore) => {
  const own = "FROM checkpoints WHERE name = 'counting' ORDER BY build";
  return (await pool.query(`SELECT build, version, position, status ${own}`)).rows;
};
const folded = async ({ pool }: TestStore, table = 'folded') =>
  (await pool.query<{ position: number; mark: string }>(`SELECT * FROM ${table} ORDER BY id`)).rows;

async function appendMarks({ store }: TestStore, from: number, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) =>
    markedEntry(`s-${from + index}`, 0, `m-${from + index}`),
  );
  await store.append(entries, {});
}

test('concurrent preparation creates a projection once, and a later version is not folded into it', async (t) => {
  const db = await createTestStore(t);
  const other = openTestStore(t, db.url);
  const prepare = ({ db }: TestStore) => prepareProjection(db, countingProjection());
  await Promise.all([prepare(db), prepare(other), prepare(db), prepare(other)]);
  const prepared = [{ build: 1, version: 1, position: 0, status: 'live' }];
  t.strictSame(await checkpoints(db), prepared);
  t.strictSame(await folded(db), [], 'the view exists');
  await prepareProjection(db.db, countingProjection({ version: 2 }));
  await appendMarks(db, 0, 2);
  t.equal(await projectNext(db.db, db.store, countingProjection({ version: 2 })), null);
  t.strictSame(await checkpoints(db), prepared, 'nothing is created or folded');
  t.equal(await projectNext(db.db, db.store, countingProjection()), 2);
});

test('a stretch without events of its types moves the checkpoint forward', async (t) => {
  const db = await createTestStore(t);
  const projection = countingProjection();
  await prepareProjection(db.db, projection);
  t.equal(await projectNext(db.db, db.store, projection), 0, 'an empty log');
  await openOrganisation({ ...testDeps, store: db.store }, { name: 'a', plan: 'free' }, {});
  t.equal(await projectNext(db.db, db.store, projection), 1);
  await appendMarks(db, 0, 2_500);
  const reached = [];
  for (let n = 0; n < 4; n += 1) reached.push(await projectNext(db.db, db.store, projection));
  t.strictSame(reached, [1_001, 2_001, 2_501, 2_501]);
  t.equal((await folded(db)).length, 2_500);
});

test('rows and checkpoint are written together or not at all', async (t) => {
  const db = await createTestStore(t);
  let fail = true;
  const projection = countingProjection({
    onBatch: async () => {
      if (fail) throw new Error('the projection failed');
    },
  });
  await prepareProjection(db.db, projection);
  await appendMarks(db, 0, 3);
  await t.rejects(projectNext(db.db, db.store, projection), /the projection failed/);
  t.strictSame(await folded(db), []);
  t.match(await checkpoints(db), [{ position: 0 }]);
  fail = false;
  await projectNext(db.db, db.store, projection);
  t.equal((await folded(db)).length, 3);
  t.match(await checkpoints(db), [{ position: 3 }]);
});

test('a second projector waits for the first, and takes over when it is gone', async (t) => {
  const db = await createTestStore(t);
  const other = openTestStore(t, db.url);
  let letGo = () => {};
  let arrived = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const working = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const slow = countingProjection({
    onBatch: () => {
      arrived();
      return held;
    },
  });
  await prepareProjection(db.db, slow);
  await appendMarks(db, 0, 3);
  const first = projectNext(db.db, db.store, slow);
  await working;
  t.equal(
    await projectNext(other.db, other.store, countingProjection()),
    null,
    'locked by the first',
  );
  await db.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );
  const next = () => projectNext(other.db, other.store, countingProjection());
  t.equal(await until('the first died', next), 3);
  letGo();
  await t.rejects(first, 'the first can no longer write');
  t.strictSame(
    (await folded(db)).map(({ mark }) => mark),
    ['m-0', 'm-1', 'm-2'],
  );
});

test('projectors with random connection losses fold every event once, in order', async (t) => {
  const random = seededRandom(t);
  const db = await createTestStore(t);
  const projection = countingProjection({ onBatch: () => delay(random() * 8) });
  await prepareProjection(db.db, projection);
  const errors: unknown[] = [];
  const fault = () => (random() < 0.04 ? (random() < 0.5 ? 'before' : 'after') : null);
  const proxy = await createLossyProxy(t, db.url, fault);
  const closers = [proxy.url, db.url].map((url) => {
    const { db: ownDb, store } = openTestStore(t, url, { maxConnections: 3 });
    const signal = openLogSignal(url, { pollMs: 50 });
    const onError = (error: unknown) => errors.push(error);
    const running = runProjector({ db: ownDb, store, signal, projection, onError }).subscribe();
    return async () => {
      running.unsubscribe();
      await signal.close();
    };
  });
  const total = 3_000;
  for (let from = 0; from < total; from += 50) {
    await appendMarks(db, from, 50);
    await delay(random() * 60);
    if (random() < 0.2) {
      await db.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
    }
  }
  await awaitPosition(db.db, 'counting', total, { timeoutMs: 120_000 });
  for (const close of closers) await close();
  await delay(200);
  t.ok(errors.length > 0, `${errors.length} times a projector lost its connection`);
  t.strictSame(
    (await folded(db)).map(({ position }) => position),
    Array.from({ length: total }, (_, index) => index + 1),
  );
});

test('a wait for a position ends when it is reached, or rejects with ProjectionBehind', async (t) => {
  const db = await createTestStore(t);
  const projection = countingProjection();
  await prepareProjection(db.db, projection);
  await appendMarks(db, 0, 5);
  const begun = performance.now();
  const late = awaitPosition(db.db, 'counting', 5, { timeoutMs: 100 });
  await t.rejects(late, ProjectionBehind);
  t.ok(performance.now() - begun < (await onThisMachine(10_000)));
  const waiting = awaitPosition(db.db, 'counting', 5);
  await projectNext(db.db, db.store, projection);
  await waiting;
  await awaitPosition(db.db, 'counting', 0);
  await t.rejects(awaitPosition(db.db, 'unknown', 0, { timeoutMs: 20 }), ProjectionBehind);
});

test('catching up works alone, beside projectors, and behind a busy one', async (t) => {
  const db = await createTestStore(t);
  const projection = countingProjection();
  await prepareProjection(db.db, projection);
  const settle = async (position: number, timeoutMs = 30_000) =>
    catchUp({ db: db.db, store: db.store, projections: [projection], position, timeoutMs });
  await appendMarks(db, 0, 1_500);
  await settle(1_500);
  t.equal((await folded(db)).length, 1_500, 'alone');

  const signal = openLogSignal(db.url);
  const running = runProjector({ db: db.db, store: db.store, signal, projection }).subscribe();
  for (let n = 0; n < 10; n += 1) {
    await appendMarks(db, 1_500 + n, 1);
    await settle(1_501 + n);
  }
  running.unsubscribe();
  await signal.close();
  await delay(100);
  t.strictSame(
    (await folded(db)).map(({ position }) => position),
    Array.from({ length: 1_510 }, (_, index) => index + 1),
    'beside a projector',
  );

  await appendMarks(db, 1_510, 1);
  const holder = await db.pool.connect();
  await holder.query('BEGIN; SELECT * FROM checkpoints FOR UPDATE');
  await t.rejects(settle(1_511, 100), ProjectionBehind, 'the other projector does not move');
  const waiting = settle(1_511);
  await delay(50);
  await holder.query('ROLLBACK');
  holder.release();
  await waiting;
  t.equal((await folded(db)).length, 1_511);
});

test('catching up leaves a live build of another version to its own projector', async (t) => {
  const db = await createTestStore(t);
  const live = countingProjection();
  const next = countingProjection({ version: 2 });
  await prepareProjection(db.db, live);
  await appendMarks(db, 0, 3);
  const behind = catchUp({
    ...{ db: db.db, store: db.store, projections: [next], position: 3, timeoutMs: 100 },
  });
  await t.rejects(behind, ProjectionBehind);
  t.match(await checkpoints(db), [{ position: 0 }]);
  await projectNext(db.db, db.store, live);
  await catchUp({ db: db.db, store: db.store, projections: [next], position: 3 });
  t.match(await checkpoints(db), [{ position: 3 }]);
});
