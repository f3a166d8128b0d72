import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { logName, originOf } from '../../src/domain/log/origin.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { StorageFull } from '../../src/storage/storage-full.ts';
import { StorageUnavailable } from '../../src/storage/storage-unavailable.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { newFolder, openFileStorage, putRandom, readBlob } from '../support/blobs.ts';
import { kindsOfDisk, smallDisk } from '../support/full-disk.ts';

for (const kind of kindsOfDisk) {
  test(`a file that finds no space leaves nothing behind, ${kind}`, async (t) => {
    const disk = await smallDisk(t, kind);
    if (disk === null) return;
    const folder = join(disk.folder, 'files');
    const storage = await openFileStorage(folder);
    const { key, bytes, ...facts } = await putRandom(storage, 1_000);
    const before = await readdir(folder, { recursive: true });
    await disk.fill();
    for (const size of [100, 1_000_000]) {
      await t.rejects(putRandom(storage, size), StorageFull);
      t.strictSame(await readdir(folder, { recursive: true }), before);
    }
    t.ok(bytes.equals(await readBlob(storage, key, facts)), 'stored files can be read');
    await openFileStorage(folder);
    await disk.free();
    await putRandom(storage, 1_000_000);
  });

  test(`submission marks are written while the disk is full, checkpoints are not, ${kind}`, async (t) => {
    const disk = await smallDisk(t, kind);
    if (disk === null) return;
    const folder = join(disk.folder, 'files');
    const log = await openLogStorage(pathToFileURL(folder).href);
    const origin = originOf({ name: logName(newUlid()), epoch: 1 });
    const markAt = (position: number, lastLedger = position) => ({
      ...({ origin, position, leaf: 'ab'.repeat(32), network: 'mainnet', lastLedger } as const),
    });
    await log.writeSubmitted('one', markAt(1));
    // A publisher removes what its checkpoint covers.
    await log.removeSubmittedUpTo(origin, 1);
    await disk.fill();
    const tile = { level: 0, index: 0, width: 200 };
    const tooLarge = { tile, bytes: Buffer.alloc(200 * 32) };
    await t.rejects(log.writeTile(origin, tooLarge), StorageFull);
    for (let position = 2; position <= 20; position += 1) {
      await log.writeSubmitted('one', markAt(position));
      await log.removeSubmitted('one', markAt(position - 1));
      t.strictSame(await log.readSubmitted(), [markAt(position)]);
    }
    await disk.free();
    await log.writeTile(origin, tooLarge);
    await log.writeSubmitted('one', markAt(21));
    t.match((await readdir(join(folder, 'log/submitted'))).join(), /spare/);
    await log.close();
    const left = await readdir(join(folder, 'log/submitted'));
    t.notMatch(left.join(), 'spare', 'the space that was set aside is given back');
  });
}

test('a file whose header finds no space, or is written in part, leaves nothing behind', async (t) => {
  const folder = await newFolder(t);
  const storage = await openFileStorage(folder);
  await putRandom(storage, 1_000);
  const before = await readdir(folder, { recursive: true });
  const handle = await open(import.meta.filename, 'r');
  const calls = Object.getPrototypeOf(handle);
  await handle.close();
  const { write } = calls;
  t.teardown(() => Object.assign(calls, { write }));
  calls.write = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  await t.rejects(putRandom(storage, 100_000), StorageFull);
  calls.write = async () => ({ bytesWritten: 10 });
  await t.rejects(putRandom(storage, 100_000), StorageUnavailable);
  t.strictSame(await readdir(folder, { recursive: true }), before);
});
