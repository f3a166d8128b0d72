import { type Test, test } from 'tap';
import type { Stop } from '../../src/storage/contract.ts';
import { DiskSpace, type DiskSpaceOptions } from '../../src/storage/disk-space.ts';
import { StorageFull } from '../../src/storage/storage-full.ts';
import { newFolder, newOrganisationId } from '../support/blobs.ts';
import { until } from '../support/until.ts';

/** Each upload is one of another organisation, unless it is given. */
function openSpace(options: DiskSpaceOptions) {
  const space = new DiskSpace(options);
  return {
    check: (bytes: number, organisationId = newOrganisationId()) =>
      space.check(bytes, organisationId),
    admit: (bytes: number, organisationId = newOrganisationId()) =>
      space.admit(bytes, organisationId),
    stored: () => space.stored(),
    stops: () => space.stops(),
  };
}

/** Disks with the free bytes that the test sets. `data` is on another disk than `storage`. */
function startSite(options: Partial<DiskSpaceOptions> = {}) {
  const free = { storage: 1_000, data: 1_000 };
  const files = { free: null as number | null };
  const seen: (readonly Stop[])[] = [];
  const space = openSpace({
    storage: 'storage',
    others: { data: 'data' },
    minFreeBytes: 100,
    recheckMs: 5,
    pauseMs: 20,
    onStops: (stops) => seen.push(stops),
    async measure(folder) {
      const name = folder as keyof typeof free;
      const disk = name === 'storage' ? 1 : 2;
      return { freeBytes: free[name], sizeBytes: 10_000, freeFiles: files.free, disk };
    },
    ...options,
  });
  return { space, free, files, seen };
}

test('uploads are refused below the mark of any disk, and accepted again above it', async (t) => {
  const { space, free, files, seen } = startSite();
  await space.check(900);
  await t.rejects(space.check(901), StorageFull);
  t.strictSame(await space.stops(), [], 'smaller uploads are accepted');
  free.storage = 99;
  await t.rejects(space.check(0), { message: /disk of storage is nearly full/ });
  t.strictSame(await space.stops(), [{ folder: 'storage' }]);
  free.storage = 1_000;
  free.data = 99;
  await t.rejects(space.admit(1), { message: /disk of data is nearly full/ });
  free.data = 100;
  await space.check(500);
  files.free = 999;
  await t.rejects(space.check(1), StorageFull, 'no file can be made');
  files.free = 1_000;
  (await space.admit(1)).end();
  t.strictSame(seen, [
    [{ folder: 'storage' }],
    [{ folder: 'data' }],
    [],
    [{ folder: 'storage' }, { folder: 'data' }],
    [],
  ]);
});

test('concurrent uploads cannot pass the mark together', async (t) => {
  const { space, free } = startSite();
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => space.admit(400)));
  const admitted = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.equal(admitted.length, 2);
  const [first, second] = admitted;
  first?.received(300);
  free.storage -= 300;
  await t.rejects(space.check(101), StorageFull, 'bytes on disk are not counted twice');
  await space.check(100);
  first?.arrived();
  await space.check(200);
  second?.end();
  first?.end();
  await space.check(600);
});

test('the uploads of one organisation leave half of the space above the mark to others', async (t) => {
  const { space } = startSite();
  const [one, other] = [newOrganisationId(), newOrganisationId()];
  await space.check(900, one);
  const first = await space.admit(300, one);
  await t.rejects(space.admit(151, one), { message: /need half of the free space/ });
  await space.admit(150, one);
  await t.rejects(space.check(1, one), StorageFull);
  await space.check(450, other);
  first.end();
  await space.check(300, one);
});

test('an upload under way is ended when others take the space', async (t) => {
  const { space, free } = startSite();
  const admission = await space.admit(100);
  free.storage = 60;
  await t.rejects(space.check(1), StorageFull);
  t.notOk(admission.signal.aborted, 'above half of the mark it goes on');
  free.storage = 49;
  await until('it is ended', async () => admission.signal.aborted);
  t.ok(admission.signal.reason instanceof StorageFull);
  admission.end();
  free.storage = 1_000;
  await space.check(1);
});

test('after a write that found no space, one upload at a time is tried', async (t) => {
  let now = 0;
  const { space } = startSite({ now: () => now });
  (await space.admit(1)).end(new StorageFull('no space'));
  await t.rejects(space.check(1), { message: /a write found no space/ });
  t.strictSame(await space.stops(), ['writeFailed']);
  now = 20;
  const trial = await space.admit(1);
  await t.rejects(space.admit(1), StorageFull, 'one at a time');
  now = 30;
  trial.end(new StorageFull('no space'));
  await t.rejects(space.admit(1), StorageFull);
  now = 50;
  (await space.admit(1)).end();
  const second = await space.admit(1);
  space.stored();
  t.strictSame(await space.stops(), []);
  await space.admit(1);
  second.end();
});

test('a slow upload does not keep all others from being tried', async (t) => {
  let now = 0;
  const { space } = startSite({ now: () => now });
  (await space.admit(1)).end(new StorageFull('no space'));
  now = 20;
  const slow = await space.admit(1);
  now = 39;
  await t.rejects(space.admit(1), StorageFull);
  now = 40;
  const next = await space.admit(1);
  await t.rejects(space.admit(1), StorageFull, 'again one at a time');
  slow.end();
  await t.rejects(space.admit(1), StorageFull, 'the next one is under way');
  next.end();
  (await space.admit(1)).end();
});

test('the default mark is 1 GiB, and 5 % of a small disk', async (t) => {
  const isRefused = async (freeBytes: number, sizeBytes: number, minFreeBytes: number | null) => {
    const measure = async () => ({ freeBytes, sizeBytes, freeFiles: null, disk: 1 });
    const { space } = startSite({ minFreeBytes, measure });
    return (await space.stops()).length > 0;
  };
  t.strictSame(
    await Promise.all([
      isRefused(2 ** 30 - 1, 1e12, null),
      isRefused(2 ** 30, 1e12, null),
      isRefused(49, 1_000, null),
      isRefused(50, 1_000, null),
      isRefused(0, 1_000, 0),
    ]),
    [true, false, true, false, false],
  );
});

test('a disk that cannot be measured refuses nothing, and real folders are measured', async (t: Test) => {
  const measure = () => Promise.reject(new Error('gone'));
  const { space } = startSite({ measure });
  await space.check(1e12);
  const folder = await newFolder(t);
  const real = (minFreeBytes: number) => openSpace({ storage: folder, minFreeBytes });
  await real(1).check(1);
  await t.rejects(real(1e15).check(1), StorageFull);
});
