import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tap, { type Test } from 'tap';
import { runSweep } from '../../../src/reactors/sweep/run-sweep.ts';
import { sweepStaged } from '../../../src/reactors/sweep/sweep-staged.ts';
import { parseS3Url } from '../../../src/storage/s3-location.ts';
import { S3Storage } from '../../../src/storage/s3-storage.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { encrypted, newFolder, newOrganisationId, streamOf } from '../../support/blobs.ts';
import { createTestDatabase } from '../../support/database.ts';
import { s3Bucket, startS3Server } from '../../support/s3-server.ts';
import { until } from '../../support/until.ts';

const server = await startS3Server(tap);
const dayMs = 24 * 3_600_000;

/** A storage of a bucket in which a process of another machine left half an upload. */
async function machine(t: Test, age: number) {
  const stagingFolder = join(await newFolder(t), 'staging');
  const location = parseS3Url(`s3://${s3Bucket}/shared?endpoint=${server.endpoint}`);
  const storage = await S3Storage.open(location, { stagingFolder });
  t.teardown(() => storage.close());
  const dead = join(stagingFolder, 'another-boot-1');
  await mkdir(dead);
  await writeFile(join(dead, 'half'), 'half an upload');
  const written = new Date(Date.now() - age);
  await utimes(join(dead, 'half'), written, written);
  const isSwept = async () => !(await readdir(stagingFolder)).includes('another-boot-1');
  return { storage, isSwept };
}

tap.test('every process removes the remains on its own disk, also without the lock', async (t) => {
  const { url } = await createTestDatabase(t);
  const [first, second] = [await machine(t, 2 * dayMs), await machine(t, 2 * dayMs)];
  for (const { storage: objects } of [first, second]) {
    const storage = encrypted(objects);
    const locks = openWorkLocks(url);
    const clock = { now: () => new Date(), onError: (error: unknown) => t.error(error) };
    const ends = [
      runSweep({
        ...clock,
        storage,
        log: { head: async () => 0, readLog: async () => [] },
        named: async (keys) => new Set(keys),
        locks,
        firstAfterMs: 0,
        markEveryMs: 10,
        marksPerSweep: 1,
        onSwept: () => {},
        onLacksMark: (error) => t.error(error),
      }),
      sweepStaged({ ...clock, storage, everyMs: 10, onSwept: () => {} }),
    ];
    t.teardown(async () => {
      for (const end of ends) end();
      await locks.close();
    });
  }
  await until('both disks are swept', async () => {
    return (await first.isSwept()) && (await second.isSwept());
  });
});

tap.test('sweeps again after a failure, and keeps an upload in progress', async (t) => {
  const { storage: objects, isSwept } = await machine(t, 2 * dayMs);
  const storage = encrypted(objects);
  const staged = await storage.stage(newOrganisationId(), streamOf(Buffer.from('young')));
  const real = storage.sweepStaged;
  const errors: unknown[] = [];
  storage.sweepStaged = async () => {
    throw new Error('EIO');
  };
  let swept = 0;
  t.teardown(
    sweepStaged({
      storage,
      now: () => new Date(),
      everyMs: 10,
      onSwept: (count) => {
        swept += count;
      },
      onError: (error) => errors.push(error),
    }),
  );
  await until('the sweep has failed repeatedly', async () => errors.length > 2);
  storage.sweepStaged = real;
  await until('the remains are swept', isSwept);
  t.equal(swept, 1);
  await staged.discard();
});
