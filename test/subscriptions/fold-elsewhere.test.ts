import { test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { foldElsewhere } from '../../src/subscriptions/fold-elsewhere.ts';
import { prepareProjection, projectNext } from '../../src/subscriptions/projector.ts';
import { countingProjection } from '../support/counting-projection.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';

test('only stretches with events of the projection are folded in another thread', async (t) => {
  const { db, store } = await createTestStore(t);
  const projection = countingProjection({
    onBatch: async () => {
      if (!isElsewhere) t.fail('folded in this thread');
    },
  });
  await prepareProjection(db, projection);
  let isElsewhere = false;
  let orders = 0;
  const foldNext = foldElsewhere({ db, store }, projection, async () => {
    orders += 1;
    isElsewhere = true;
    const reached = await projectNext(db, store, projection);
    isElsewhere = false;
    return reached;
  });
  await openLog({ ...testDeps, store }, { actor: 'start' });
  const organisation = { name: 'A', plan: 'professional' } as const;
  await openOrganisation({ ...testDeps, store }, organisation, { actor: 'operator' });
  const others = await store.head();
  t.equal(await foldNext(-1), others, 'no event of its types yet');
  t.equal(orders, 0);
  await store.append([markedEntry('s', 0, 'a', 'b')], {});
  t.equal(await foldNext(others), others + 2);
  t.equal(orders, 1);
  t.equal(await foldNext(others + 2), others + 2, 'at the head');
  t.equal(orders, 1);
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
      await store.append([markedEntry('s', await store.versionOf('s'), 'm')], {});
      return headers;
    },
  };
  const foldNext = foldElsewhere({ db, store: slow }, projection, async () => 1_000);
  t.equal(await foldNext(-1), 1);
  t.equal(await foldNext(1), 1_000, 'in another thread');
});
