import { type Test, test } from 'tap';
import { blobKey } from '../../../src/domain/blob/blob-key.ts';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { openLogStorage } from '../../../src/transparency-log/published/open-log-storage.ts';
import type { SubmittedMark } from '../../../src/transparency-log/published/submitted-mark.ts';
import type { StorageSite } from '../../storage/blob-storage-contract.ts';
import { listedKeys, newOrganisationId, putRandom } from '../../support/blobs.ts';

/** Contract of every storage of the log. */
export function testLogStorage(newSite: (t: Test) => Promise<StorageSite>): void {
  const logId = newUlid();
  const noteOf = (size: number, epoch = 1) => {
    const origin = originOf({ name: logName(logId), epoch });
    const signer = noteSigner(origin, Buffer.alloc(32, 1));
    return signCheckpoint({ origin, size, root: Buffer.alloc(32, size % 256) }, [signer]);
  };

  test('finds the newest checkpoint, even if an older one is written later', async (t) => {
    const { url } = await newSite(t);
    const log = await openLogStorage(url);
    t.teardown(() => log.close());
    t.equal(await log.readCheckpoint(), null);
    for (const size of [9, 10_000_000_000, 10, 99]) await log.writeCheckpoint(noteOf(size));
    t.equal(await log.readCheckpoint(), noteOf(10_000_000_000));
    await log.removeCheckpointsBefore(noteOf(10));
    t.equal(await log.readCheckpoint(), noteOf(10_000_000_000));
    await log.writeCheckpoint(noteOf(3, 2));
    t.equal(await log.readCheckpoint(), noteOf(3, 2), 'a checkpoint of a later epoch is newer');
    await log.removeCheckpointsBefore(noteOf(3, 2));
    const again = await openLogStorage(url);
    t.teardown(() => again.close());
    t.equal(await again.readCheckpoint(), noteOf(3, 2));
    await t.rejects(log.writeCheckpoint('no note'), TypeError);
  });

  test('finds the newest checkpoint of each epoch', async (t) => {
    const { url } = await newSite(t);
    const log = await openLogStorage(url);
    t.teardown(() => log.close());
    t.strictSame(await log.readLastCheckpoints(), []);
    for (const [size, epoch] of [
      [10_000_000_000, 1],
      [9, 1],
      [7, 12],
      [8, 2],
    ] as const) {
      await log.writeCheckpoint(noteOf(size, epoch));
    }
    const newest = [noteOf(10_000_000_000), noteOf(8, 2), noteOf(7, 12)];
    t.strictSame(await log.readLastCheckpoints(), newest);
  });

  test('keeps tiles by log, epoch, level, index and width', async (t) => {
    const { url } = await newSite(t);
    const log = await openLogStorage(url);
    t.teardown(() => log.close());
    const origin = originOf({ name: logName(logId), epoch: 1 });
    const tiles = [
      { level: 0, index: 0, width: 256 },
      { level: 0, index: 0, width: 3 },
      { level: 1, index: 0, width: 3 },
      { level: 0, index: 1_000, width: 3 },
      { level: 0, index: 1, width: 3 },
    ];
    const bytesOf = (at: number) => Buffer.alloc((tiles[at]?.width ?? 0) * 32, at + 1);
    for (const [at, tile] of tiles.entries()) {
      t.equal(await log.readTile(origin, tile), null);
      await log.writeTile(origin, { tile, bytes: bytesOf(at) });
    }
    for (const [at, tile] of tiles.entries()) {
      t.ok((await log.readTile(origin, tile))?.equals(bytesOf(at)), `${at}`);
      t.equal(await log.readTile(originOf({ name: logName(logId), epoch: 2 }), tile), null);
      t.equal(await log.readTile(originOf({ name: logName(newUlid()), epoch: 1 }), tile), null);
    }
    const [full, partial] = tiles;
    if (full === undefined || partial === undefined) throw new Error('no tiles');
    await log.writeTile(origin, { tile: full, bytes: bytesOf(0) });
    const other = { tile: full, bytes: Buffer.alloc(8_192, 9) };
    await t.rejects(log.writeTile(origin, other), { name: 'TileConflict' });
    await log.removeTile(origin, partial);
    await log.removeTile(origin, partial);
    t.equal(await log.readTile(origin, partial), null);
    t.ok((await log.readTile(origin, full))?.equals(bytesOf(0)));
  });

  test('keeps marks of submitted transactions by epoch, position and writer', async (t) => {
    const { url } = await newSite(t);
    const log = await openLogStorage(url);
    t.teardown(() => log.close());
    const markOf = (position: number, epoch = 1): SubmittedMark => {
      const at = {
        origin: originOf({ name: logName(logId), epoch }),
        position,
        leaf: 'ab'.repeat(32),
      };
      return { ...at, network: 'testnet', lastLedger: 9 };
    };
    t.strictSame(await log.readSubmitted(), []);
    await log.writeSubmitted('one', markOf(7));
    await log.writeSubmitted('two', markOf(7));
    await log.writeSubmitted('one', markOf(10_000_000_000));
    await log.writeSubmitted('two', markOf(3, 2));
    await log.removeSubmitted('one', markOf(7));
    await log.removeSubmitted('one', markOf(7));
    const kept = [markOf(7), markOf(10_000_000_000), markOf(3, 2)];
    const positions = (marks: readonly SubmittedMark[]) => marks.map(({ position }) => position);
    t.strictSame(positions(await log.readSubmitted()).sort(), positions(kept).sort());
    await log.removeSubmittedUpTo(originOf({ name: logName(logId), epoch: 1 }), 7);
    t.strictSame((await log.readSubmitted()).length, 2);
    await log.removeSubmittedUpTo(originOf({ name: logName(logId), epoch: 2 }), 2);
    t.strictSame(await log.readSubmitted(), [markOf(3, 2)], 'an epoch covers earlier ones');
    t.equal(await log.readCheckpoint(), null);
  });

  test('sweeping and erasing leave the log alone, and listing blobs skips the log', async (t) => {
    const { storage, url } = await newSite(t);
    const log = await openLogStorage(url);
    t.teardown(() => log.close());
    const organisationId = newOrganisationId();
    const { key } = await putRandom(storage, 10, blobKey(organisationId, newUlid()));
    const tile = { level: 0, index: 0, width: 1 };
    // The erased organisation and the log share an id.
    const origin = originOf({ name: logName(organisationId), epoch: 1 });
    await log.writeTile(origin, { tile, bytes: Buffer.alloc(32) });
    await log.writeCheckpoint(noteOf(1));
    t.strictSame(await listedKeys(storage), [key]);
    await storage.deleteAll(organisationId);
    await storage.sweepStaged(new Date(Date.now() + 1_000));
    t.strictSame(await listedKeys(storage), []);
    t.ok(await log.readTile(origin, tile));
    t.equal(await log.readCheckpoint(), noteOf(1));
  });
}
