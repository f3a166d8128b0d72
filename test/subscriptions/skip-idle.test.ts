import { test } from 'tap';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { prepareProjection, runProjector } from '../../src/subscriptions/projector.ts';
import { createSkipIdle } from '../../src/subscriptions/skip-idle.ts';
import { createTestStore, type TestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { tailLog } from '../support/tailed-log.ts';
import { until } from '../support/until.ts';

/** A read model without tables. The tests append events of the type `AccountRetired` only. */
function readModel(name: string, type: Projection['types'][number] = 'LinkCreated'): Projection {
  const [create, project] = [async () => {}, async () => {}];
  return { name, version: 1, types: [type], tables: [], create, project };
}

async function positions({ pool }: TestStore): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; position: number }>(
    "SELECT name, position FROM checkpoints WHERE name <> 'webhook deliveries'",
  );
  return Object.fromEntries(rows.map(({ name, position }) => [name, position]));
}

async function endOf({ pool }: TestStore, at: number) {
  const { rows } = await pool.query<{ position: number; leaf: Buffer }>(
    'SELECT position, leaf FROM events WHERE position = $1',
    [at],
  );
  return rows[0] ?? { position: 0, leaf: Buffer.alloc(32) };
}

const append = ({ store }: TestStore, stream: string) =>
  store.append([markedEntry(stream, 0, 'a', 'b')], {});

test('skips stretches of several projections, each only from its own checkpoint', async (t) => {
  const db = await createTestStore(t);
  for (const name of ['one', 'two', 'ahead', 'later', 'locked']) {
    await prepareProjection(db.db, readModel(name));
  }
  await append(db, 's-1');
  await db.pool.query("UPDATE checkpoints SET position = 1 WHERE name = 'ahead'");
  await db.pool.query("UPDATE checkpoints SET version = 2 WHERE name = 'later'");
  const holder = await db.pool.connect();
  await holder.query("BEGIN; SELECT FROM checkpoints WHERE name = 'locked' FOR UPDATE");
  const end = await endOf(db, 2);
  const skip = createSkipIdle(db.db);
  const all = ['one', 'two', 'ahead', 'later', 'locked', 'unknown'];
  const moved = await Promise.all(all.map((name) => skip({ name, version: 1, from: 0, end })));
  await holder.query('ROLLBACK');
  holder.release();
  t.strictSame(moved, [true, true, false, false, false, false]);
  t.strictSame(await positions(db), { one: 2, two: 2, ahead: 1, later: 0, locked: 0 });
});

test('skips nothing in a database that lacks the last event', async (t) => {
  const db = await createTestStore(t);
  await prepareProjection(db.db, readModel('one'));
  await append(db, 's-1');
  const skip = createSkipIdle(db.db);
  const { leaf } = await endOf(db, 1);
  t.equal(await skip({ name: 'one', version: 1, from: 0, end: { position: 2, leaf } }), false);
  t.equal(await skip({ name: 'one', version: 1, from: 0, end: { position: 3, leaf } }), false);
  t.strictSame(await positions(db), { one: 0 });
});

test('a projector folds only stretches with events of its types', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const folded = new Map([
    ['idle', 0],
    ['active', 0],
  ]);
  const skip = createSkipIdle(db.db);
  for (const projection of [readModel('idle'), readModel('active', 'AccountRetired')]) {
    await prepareProjection(db.db, projection);
    const { name } = projection;
    const project = async () => {
      folded.set(name, (folded.get(name) ?? 0) + 1);
    };
    const options = { store: site.tail, signal: site.signal, skipIdle: skip };
    const running = runProjector({ db: db.db, ...options, projection: { ...projection, project } });
    const subscription = running.subscribe();
    t.teardown(() => subscription.unsubscribe());
  }
  for (let n = 1; n <= 5; n += 1) {
    await append(db, `s-${n}`);
    site.hint();
    await until(`position ${2 * n}`, async () =>
      Object.values(await positions(db)).every((position) => position === 2 * n),
    );
  }
  t.strictSame([folded.get('idle'), (folded.get('active') ?? 0) > 0], [0, true]);
});
