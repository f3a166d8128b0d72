import { test } from 'tap';
import { type BlobKey, blobKey } from '../../../src/domain/blob/blob-key.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { runSweep, type SweepOptions } from '../../../src/reactors/sweep/run-sweep.ts';
import { FileStorage } from '../../../src/storage/file-storage.ts';
import type { Swept } from '../../../src/storage/sweep-blobs.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { listedKeys, newFolder, newOrganisationId, putRandom } from '../../support/blobs.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const inTwoDays = () => new Date(Date.now() + 48 * 3_600_000);

test('one process of all that run deletes what nothing names, again and again', async (t) => {
  const { url } = await createTestDatabase(t);
  const storage = await FileStorage.open(await newFolder(t));
  const organisationId = newOrganisationId();
  const put = async () => (await putRandom(storage, 10, blobKey(organisationId, newUlid()))).key;
  const named = new Set<BlobKey>([await put(), await put()]);
  await put();
  const swept: [number, Swept][] = [];
  const errors: unknown[] = [];
  let isLater = true;
  const start = (process: number) => {
    const locks = openWorkLocks(url);
    const options: SweepOptions = {
      storage,
      named: async (keys) => new Set(keys.filter((key) => named.has(key))),
      locks,
      now: () => (isLater ? inTwoDays() : new Date()),
      firstAfterMs: 0,
      everyMs: 50,
      onSwept: (one) => swept.push([process, one]),
      onError: (error) => errors.push(error),
    };
    const end = runSweep(options);
    const stop = async () => {
      end();
      await locks.close();
    };
    t.teardown(stop);
    return stop;
  };
  const processes = [start(0), start(1), start(2)];
  await until('it sweeps', async () => swept.length >= 3);
  t.strictSame(await listedKeys(storage), [...named].sort());
  t.equal(
    swept.reduce((sum, [, { deleted }]) => sum + deleted, 0),
    1,
  );
  const [first = 0] = swept[0] ?? [];
  t.ok(
    swept.every(([process]) => process === first),
    'one of them alone',
  );

  await processes[first]?.();
  // What is being received must be young.
  isLater = false;
  await put();
  isLater = true;
  await until('another takes over', async () =>
    swept.some(([process, { deleted }]) => process !== first && deleted === 1),
  );
  t.strictSame(await listedKeys(storage), [...named].sort());
  t.strictSame(errors, []);
});

test('what fails is tried again the next time', async (t) => {
  const folder = await newFolder(t);
  const storage = await FileStorage.open(folder);
  await putRandom(storage, 10);
  let failures = 0;
  const errors: unknown[] = [];
  const end = runSweep({
    storage,
    async named() {
      failures += 1;
      if (failures < 3) throw new Error('the projection is behind');
      return new Set();
    },
    locks: { hold: async () => 1 },
    now: inTwoDays,
    firstAfterMs: 0,
    everyMs: 10,
    onSwept: () => {},
    onError: (error) => errors.push(error),
  });
  t.teardown(end);
  await until('it is deleted', async () => (await listedKeys(storage)).length === 0);
  t.equal(errors.length, 2);
});

test('a young blob stays, also where nothing names it yet', async (t) => {
  const folder = await newFolder(t);
  const storage = await FileStorage.open(folder);
  await putRandom(storage, 10);
  let rounds = 0;
  const end = runSweep({
    storage,
    named: async () => new Set(),
    locks: { hold: async () => 1 },
    now: () => new Date(),
    firstAfterMs: 0,
    everyMs: 10,
    onSwept: () => {
      rounds += 1;
    },
    onError: (error) => t.error(error),
  });
  t.teardown(end);
  await until('it has swept', async () => rounds > 2);
  t.equal((await listedKeys(storage)).length, 1);
});
