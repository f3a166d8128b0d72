import { test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { foldElsewhere, smallEventBytes } from '../../src/subscriptions/fold-elsewhere.ts';
import { prepareProjection, projectNext } from '../../src/subscriptions/projector.ts';
import { countingProjection } from '../support/counting-projection.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';

const large = 'x'.repeat(smallEventBytes);
const third = 'x'.repeat(smallEventBytes / 3);

test('only stretches with much data of large types are folded in another thread', async (t) => {
  const { db, store } = await createTestStore(t);
  let folded = 0;
  const projection = countingProjection({
    onBatch: async () => {
      folded += 1;
    },
  });
  await prepareProjection(db, projection);
  let orders = 0;
  const foldNext = foldElsewhere({ db, store }, projection, ['AccountRetired'], async () => {
    orders += 1;
    return projectNext(db, store, projection);
  });
  await openLog({ ...testDeps, store }, { actor: 'start' });
  const organisation = { name: 'A', plan: 'professional' } as const;
  await openOrganisation({ ...testDeps, store }, organisation, { actor: 'operator' });
  const others = await store.head();
  t.equal(await foldNext(-1), others, 'no event of its types yet');
  t.equal(orders, 0);
  const appends: readonly [what: string, marks: readonly string[], orders: number][] = [
    ['two small events', ['a', 'b'], 0],
    ['a large event among small ones', ['c', large, 'd'], 1],
    ['events that are large together', [third, third, third], 2],
    ['a small event after them', ['e'], 2],
  ];
  let reached = others;
  for (const [what, marks, ordered] of appends) {
    await store.append([markedEntry('s', reached - others, ...marks)], {});
    reached += marks.length;
    t.equal(await foldNext(reached - marks.length), reached, what);
    t.equal(orders, ordered, what);
  }
  t.equal(folded, appends.length);
  t.equal(await foldNext(reached), reached, 'at the head');
  t.equal(orders, 2);
});

test('large events of types that are not large hold nothing up here', async (t) => {
  const { db, store } = await createTestStore(t);
  const projection = countingProjection();
  await prepareProjection(db, projection);
  await openLog({ ...testDeps, store }, { actor: 'start' });
  await store.append([markedEntry('s', 0, large)], {});
  const elsewhere = async () => {
    t.fail('folded in another thread');
    return null;
  };
  const foldNext = foldElsewhere({ db, store }, projection, ['RunRecorded'], elsewhere);
  t.equal(await foldNext(-1), 2);
});

test('an event appended between reading and folding is left for the next stretch', async (t) => {
  const { db, store } = await createTestStore(t);
  const projection = countingProjection({ onBatch: async () => void t.fail('not here') });
  await prepareProjection(db, projection);
  await openLog({ ...testDeps, store }, { actor: 'start' });
  const slow: typeof store = {
    ...store,
    async readHeaders(after, limit) {
      const headers = await store.readHeaders(after, limit);
      await store.append([markedEntry('s', await store.versionOf('s'), large)], {});
      return headers;
    },
  };
  const foldNext = foldElsewhere(
    { db, store: slow },
    projection,
    ['AccountRetired'],
    async () => 1_000,
  );
  t.equal(await foldNext(-1), 1);
  t.equal(await foldNext(1), 1_000, 'in another thread');
});
