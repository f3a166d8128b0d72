import { test } from 'tap';
import {
  NotCompared,
  StorageOutages,
  storagePause,
} from '../../../src/reactors/anchoring/storage-outage.ts';
import { StorageFull } from '../../../src/storage/storage-full.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

test('while the storage is away, one message tells why nothing is anchored, and another when it goes on', async (t) => {
  const site = await createAnchoringSite(t);
  let [isAway, calls] = [true, 0];
  const useStorage = async () => {
    calls += 1;
    if (isAway) throw new StorageUnavailable('the bucket is away');
  };
  const process = await site.start({ compare: useStorage, cover: useStorage });
  const proofId = await site.request({ queued: true });
  await until('three attempts', async () => calls >= 3);
  t.equal(process.running.paused(), 'notCompared');
  t.match(process.errors, [{ name: 'NotCompared', cause: { message: 'the bucket is away' } }]);
  t.strictSame(process.storageBack, []);
  isAway = false;
  await site.settle([proofId]);
  t.equal(process.running.paused(), null);
  t.strictSame(process.storageBack, ['notCompared']);

  isAway = true;
  const next = await site.request({ queued: true });
  const before = calls;
  await until('an attempt', async () => calls > before);
  await until('the pause', async () => process.running.paused() === 'storageAway');
  isAway = false;
  await site.settle([next]);
  t.strictSame(process.storageBack, ['notCompared', 'storageAway']);
  t.equal(process.errors.length, 2);
});

test('an outage of the storage is told once, and another one later again', async (t) => {
  const ended: string[] = [];
  let nowMs = 0;
  const outages = new StorageOutages(
    (pause) => ended.push(pause),
    () => nowMs,
  );
  let error: Error | null = new StorageUnavailable('away');
  const cover = outages.covering(async () => {
    if (error !== null) throw error;
  });
  const compare = outages.comparing(async () => {
    if (error !== null) throw error;
  });
  await t.rejects(cover(1), StorageUnavailable);
  await t.rejects(compare(), NotCompared);
  t.equal(outages.fails('storageAway'), true);
  for (let n = 0; n < 100; n += 1) {
    nowMs += 1_000;
    t.equal(outages.fails('storageAway'), false);
  }
  error = null;
  await compare();
  t.strictSame(ended, [], 'the comparison did not fail so far');
  await cover(1);
  await cover(1);
  t.strictSame(ended, ['storageAway']);
  t.equal(outages.fails('storageAway'), true);
  nowMs += 60_001;
  t.equal(outages.fails('storageAway'), true, 'after a while without a failure');
  error = new TypeError('a bug');
  await t.rejects(compare(), TypeError);
  t.equal(storagePause(new StorageFull('full')), 'storageFull');
  t.equal(storagePause(error), null);
});
