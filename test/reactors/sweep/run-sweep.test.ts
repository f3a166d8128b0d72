import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { openLog } from '../../../src/commands/open-log.ts';
import { type BlobKey, blobKey } from '../../../src/domain/blob/blob-key.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { type LogLacksMark, markLog } from '../../../src/reactors/sweep/mark-log.ts';
import { runSweep, type SweepOptions } from '../../../src/reactors/sweep/run-sweep.ts';
import { StorageFull } from '../../../src/storage/storage-full.ts';
import type { Swept } from '../../../src/storage/sweep-blobs.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import {
  listedKeys,
  newFolder,
  newOrganisationId,
  openFileStorage,
  putRandom,
} from '../../support/blobs.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestStore } from '../../support/event-store.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { until } from '../../support/until.ts';

const inTwoDays = () => new Date(Date.now() + 48 * 3_600_000);

type Log = SweepOptions['log'];

/** A log of `length` events, which may begin as a copy of another. */
function someLog(length: number, copyOf: readonly StoredEvent[] = []) {
  const events = [...copyOf];
  const append = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      const event = {
        eventId: newUlid(),
        type: 'LogOpened',
        data: { logId: 'log', leafVersion: 1 },
      };
      // The sweep uses only these fields of events.
      events.push({ ...event, position: events.length + 1 } as unknown as StoredEvent);
    }
  };
  append(length - events.length);
  const log: Log = {
    head: async () => events.length,
    readLog: async (after, limit) => events.slice(after, after + limit),
  };
  return { ...log, events, append };
}

const alone = { hold: async () => 1, release: async () => {} };
const often = { firstAfterMs: 0, markEveryMs: 10, marksPerSweep: 1 } as const;

test('one of several processes deletes unnamed blobs repeatedly, and another takes over', async (t) => {
  const { url } = await createTestDatabase(t);
  const storage = await openFileStorage(await newFolder(t));
  const organisationId = newOrganisationId();
  const put = async () => (await putRandom(storage, 10, blobKey(organisationId, newUlid()))).key;
  const named = new Set<BlobKey>([await put(), await put()]);
  await put();
  const swept: [number, Swept][] = [];
  const errors: unknown[] = [];
  const log = someLog(3);
  let isLater = true;
  const start = (process: number) => {
    const locks = openWorkLocks(url);
    const options: SweepOptions = {
      storage,
      named: async (keys) => new Set(keys.filter((key) => named.has(key))),
      locks,
      now: () => (isLater ? inTwoDays() : new Date()),
      log,
      firstAfterMs: 0,
      markEveryMs: 25,
      marksPerSweep: 2,
      onLacksMark: (error) => errors.push(error),
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
  await until('a process sweeps', async () => swept.length >= 3);
  t.strictSame(await listedKeys(storage), [...named].sort());
  t.equal(
    swept.reduce((sum, [, { deleted }]) => sum + deleted, 0),
    1,
  );
  const [first = 0] = swept[0] ?? [];
  t.ok(
    swept.every(([process]) => process === first),
    'only one of the processes',
  );

  await processes[first]?.();
  // A blob being received must be young.
  isLater = false;
  await put();
  isLater = true;
  await until('another process takes over', async () =>
    swept.some(([process, { deleted }]) => process !== first && deleted === 1),
  );
  t.strictSame(await listedKeys(storage), [...named].sort());
  t.strictSame(errors, []);
});

test('retries a failed sweep at the next interval', async (t) => {
  const folder = await newFolder(t);
  const storage = await openFileStorage(folder);
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
    log: someLog(1),
    locks: alone,
    now: inTwoDays,
    ...often,
    onSwept: () => {},
    onLacksMark: (error) => t.error(error),
    onError: (error) => errors.push(error),
  });
  t.teardown(end);
  await until('the blob is deleted', async () => (await listedKeys(storage)).length === 0);
  t.equal(errors.length, 2);
});

test('keeps a young blob, even if no event names it', async (t) => {
  const folder = await newFolder(t);
  const storage = await openFileStorage(folder);
  await putRandom(storage, 10);
  let rounds = 0;
  const end = runSweep({
    storage,
    named: async () => new Set(),
    log: someLog(1),
    locks: alone,
    now: () => new Date(),
    ...often,
    onLacksMark: (error) => t.error(error),
    onSwept: () => {
      rounds += 1;
    },
    onError: (error) => t.error(error),
  });
  t.teardown(end);
  await until('the sweep has run', async () => rounds > 2);
  t.equal((await listedKeys(storage)).length, 1);
});

test('a log that went on from an older copy deletes nothing, and reports it once', async (t) => {
  const folder = await newFolder(t);
  const storage = await openFileStorage(folder);
  const { key } = await putRandom(storage, 10);
  const written: number[] = [];
  const { writeLogMark } = storage;
  storage.writeLogMark = async (mark) => {
    await writeLogMark.call(storage, mark);
    written.push(mark.position);
  };
  const original = someLog(20);
  const reported: LogLacksMark[] = [];
  let asked = 0;
  const hold = async () => {
    asked += 1;
    return 1;
  };
  const run = (log: Log, named: readonly BlobKey[], onSwept = () => {}) => {
    const end = runSweep({
      storage,
      log,
      named: async () => new Set(named),
      locks: { ...alone, hold },
      now: inTwoDays,
      ...often,
      onSwept,
      onLacksMark: (error) => reported.push(error),
      onError: (error) => t.error(error),
    });
    t.teardown(end);
    return end;
  };
  let rounds = 0;
  const count = () => {
    rounds += 1;
  };
  let end = run(original, [key], count);
  await until('the storage is marked', async () => rounds > 1);
  original.append(5);
  await until('the mark covers the new events', async () => written.at(-1) === 25);
  end();
  t.strictSame(written, [20, 25], 'only after new events');

  const older = original.events.slice(0, 18);
  const onward = someLog(40, older);
  for (const log of [someLog(18, older), onward, someLog(25), someLog(1)]) {
    reported.length = 0;
    asked = 0;
    end = run(log, []);
    await until('the sweep was tried repeatedly', async () => asked > 5);
    end();
    t.match(reported, [{ name: 'LogLacksMark', message: /remove log.json/ }], 'reported once');
    t.match(reported[0], { mark: { position: 25, eventId: original.events[24]?.eventId } });
  }
  t.strictSame(await listedKeys(storage), [key]);
  t.equal(written.length, 2, 'the mark is unchanged');

  await rm(join(folder, 'log.json'));
  run(onward, []);
  await until('the sweep runs after the operator removed the mark', async () => {
    return (await listedKeys(storage)).length === 0;
  });
  t.equal(written.at(-1), 40);
});

test('while the mark cannot be read or written nothing is deleted', async (t) => {
  for (const broken of ['readLogMark', 'writeLogMark'] as const) {
    const storage = await openFileStorage(await newFolder(t));
    const { key } = await putRandom(storage, 10);
    const real = storage[broken];
    let failures = 0;
    storage[broken] = async () => {
      failures += 1;
      throw new Error('EIO');
    };
    const errors: unknown[] = [];
    let releases = 0;
    const release = async () => {
      releases += 1;
    };
    const end = runSweep({
      storage,
      log: someLog(1),
      named: async () => new Set(),
      locks: { ...alone, release },
      now: inTwoDays,
      ...often,
      onSwept: () => {},
      onLacksMark: (error) => t.error(error),
      onError: (error) => errors.push(error),
    });
    t.teardown(end);
    await until('the sweep has failed repeatedly', async () => failures > 3);
    t.strictSame(await listedKeys(storage), [key]);
    t.ok(errors.length > 2);
    t.ok(releases >= errors.length, 'releases the lock, so that another process may try');
    Object.assign(storage, { [broken]: real });
    await until('the storage is swept', async () => (await listedKeys(storage)).length === 0);
  }
});

test('the sweep stops if another log marks the storage during it', async (t) => {
  const storage = await openFileStorage(await newFolder(t));
  const { key } = await putRandom(storage, 10);
  const log = someLog(5);
  const { sweepHalfSent } = storage;
  storage.sweepHalfSent = async (before) => {
    await storage.writeLogMark({ logId: 'another', position: 3, eventId: newUlid() });
    return sweepHalfSent.call(storage, before);
  };
  const reported: unknown[] = [];
  t.teardown(
    runSweep({
      storage,
      log,
      named: async () => new Set(),
      locks: alone,
      now: inTwoDays,
      ...often,
      onSwept: () => t.fail('the sweep completed'),
      onLacksMark: (error) => reported.push(error),
      onError: (error) => t.error(error),
    }),
  );
  await until('the other log is reported', async () => reported.length > 0);
  t.strictSame(await listedKeys(storage), [key]);
});

test("marks the storage with the log's id and newest event", async (t) => {
  const { store } = await createTestStore(t);
  const storage = await openFileStorage(await newFolder(t));
  const logId = await openLog({ store, newId: newUlid }, {});
  const newest = async () => (await store.readLog((await store.head()) - 1, 1))[0]?.eventId;
  await markLog(storage, store);
  t.strictSame(await storage.readLogMark(), { logId, position: 1, eventId: await newest() });
  await store.append([markedEntry('a', 0, 'a'), markedEntry('b', 0, 'b')], {});
  await markLog(storage, store);
  t.strictSame(await storage.readLogMark(), { logId, position: 3, eventId: await newest() });
  const other = await createTestStore(t);
  await openLog({ store: other.store, newId: newUlid }, {});
  await t.rejects(markLog(storage, other.store), { name: 'LogLacksMark' });
});

test('a full storage is swept, although the log cannot be marked in it', async (t) => {
  const storage = await openFileStorage(await newFolder(t));
  const log = someLog(3);
  await markLog(storage, log);
  const before = await storage.readLogMark();
  await putRandom(storage, 10);
  log.append(2);
  const { writeLogMark } = storage;
  storage.writeLogMark = async () => {
    throw new StorageFull('no space left');
  };
  const swept: Swept[] = [];
  const errors: unknown[] = [];
  const end = runSweep({
    ...{ storage, log, locks: alone, now: inTwoDays, named: async () => new Set() },
    ...often,
    onSwept: (one) => swept.push(one),
    onLacksMark: (error) => errors.push(error),
    onError: (error) => errors.push(error),
  });
  t.teardown(end);
  await until('the blob is deleted', async () => swept.some(({ deleted }) => deleted === 1));
  t.strictSame([await listedKeys(storage), await storage.readLogMark()], [[], before]);
  storage.writeLogMark = writeLogMark;
  await until('the log is marked', async () => (await storage.readLogMark())?.position === 5);
  t.strictSame(errors, []);
});
