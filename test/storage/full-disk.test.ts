import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { originOf } from '../../src/domain/log/origin.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { StorageFull } from '../../src/storage/storage-full.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { openFileStorage, putRandom, readBlob } from '../support/blobs.ts';
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
    const origin = originOf(newUlid(), 1);
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
