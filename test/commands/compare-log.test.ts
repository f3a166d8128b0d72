import { test } from 'tap';
import { compareLog } from '../../src/commands/compare-log.ts';
import { LogDiffers } from '../../src/commands/log-differs.ts';
import { openComparedLog } from '../../src/commands/open-compared-log.ts';
import { originOf } from '../../src/domain/log/origin.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { Sealer } from '../../src/reactors/sealing/sealer.ts';
import { PublishedLog } from '../../src/storage/published-log.ts';
import { StorageUnavailable } from '../../src/storage/storage-unavailable.ts';
import { testDeps } from '../support/event-store.ts';
import { MemoryLogFiles, openSealingSite, type SealingSite } from '../support/sealing-site.ts';

/** The log of a site up to a position, and then that of another: a copy that went on by itself. */
function forkOf(site: SealingSite, position: number, other: SealingSite): SealingSite['options'] {
  return {
    ...site.options,
    store: { ...site.options.store, head: other.options.store.head },
    leaves: {
      read: async (after, limit) => {
        const ours = await site.leaves.read(after, limit);
        const theirs = await other.leaves.read(after, limit);
        return theirs.map((leaf, at) => (after + at < position ? (ours[at] as Buffer) : leaf));
      },
    },
  };
}

test('a log is compared with what was published of it', async (t) => {
  const [site, other] = [await openSealingSite(t), await openSealingSite(t)];
  const { append, options, files, database } = site;
  t.strictSame(await compareLog(options), { status: 'agrees', last: null }, 'before any of it');
  await append(599);
  await other.append(700);
  await new Sealer(options).seal();
  await append(3);
  const [opened] = await database.store.readLog(0, 1, ['LogOpened']);
  const { logId } = (opened as StoredEvent & { type: 'LogOpened' }).data;
  const last = { origin: originOf(logId, 1), size: 600 };
  t.match(await compareLog(options), { status: 'agrees', last });

  await t.test('it has forgotten its newest events', async (t) => {
    const store = { ...options.store, head: async () => 599 };
    t.match(await compareLog({ ...options, store }), { status: 'shorter', last, head: 599 });
    const empty = { ...store, head: async () => 0, readLog: async () => [] };
    const emptied = { ...options, store: { ...empty, readStream: async () => [] } };
    t.match(await compareLog(emptied), { status: 'shorter', last, head: 0 });
  });

  await t.test('it went on from an older copy', async (t) => {
    for (const position of [1, 300, 512, 513, 599]) {
      const found = await compareLog(forkOf(site, position, other));
      t.match(found, { status: 'forked', last, position: Math.max(513, position + 1) });
    }
    t.equal((await compareLog(forkOf(site, 600, other))).status, 'agrees');
  });

  await t.test('it is another log', async (t) => {
    const foreign = { ...other.options, published: options.published };
    t.match(await compareLog(foreign), { status: 'other-log', last });
  });

  await t.test('the storage holds nothing of what was published, or is away', async (t) => {
    const published = new PublishedLog(new MemoryLogFiles());
    const found = await compareLog({ ...options, published });
    t.match(found, { status: 'storage-empty', origin: last.origin, size: 600 });
    const away = new MemoryLogFiles();
    away.troubles = () => {
      throw new StorageUnavailable('away');
    };
    const compared = compareLog({ ...options, published: new PublishedLog(away) });
    await t.rejects(compared, StorageUnavailable);
  });

  await t.test('what was published is damaged', async (t) => {
    const tiles = [...files.files.keys()].filter((name) => name.includes('/tile/'));
    t.equal(tiles.length, 4);
    for (const name of tiles) {
      const bytes = files.files.get(name) as Buffer;
      for (const damaged of [null, bytes.subarray(32), Buffer.alloc(bytes.length)]) {
        if (damaged === null) files.files.delete(name);
        else files.files.set(name, damaged);
        const found = await compareLog(options);
        // What is below a full tile is known by the tile above.
        const isNeeded = name.includes('.p/') || name.endsWith('tile/1/000');
        t.equal(found.status, isNeeded ? 'storage-damaged' : 'agrees', name);
      }
      files.files.set(name, bytes);
    }
    const [checkpoint = ''] = [...files.files.keys()].filter((name) => name.startsWith('check'));
    const note = files.files.get(checkpoint) as Buffer;
    files.files.set(checkpoint, Buffer.from('something else'));
    await t.rejects(compareLog(options), /not what this service writes/);
    files.files.set(checkpoint, note);
  });

  await t.test('it is in another epoch', async (t) => {
    const inEpoch = (epoch: number) => ({
      ...options,
      store: {
        ...options.store,
        readNewest: async () => [{ type: 'LogRestored', version: 1, data: { epoch } }] as never,
      },
    });
    t.strictSame(await compareLog(inEpoch(2)), { status: 'agrees', last: null });
    await new Sealer(inEpoch(2)).seal();
    t.match(await compareLog(options), { status: 'older-epoch', epoch: 1 });
    t.match(await compareLog(inEpoch(2)), { last: { origin: originOf(logId, 2), size: 603 } });
  });
});

test('a checkpoint that is published while it is compared does not look like damage', async (t) => {
  const site = await openSealingSite(t);
  const { append, files, options } = site;
  await append(300);
  const sealer = new Sealer(options);
  await sealer.seal();
  await append(5);
  let isFirst = true;
  const published = new PublishedLog(files);
  const read = published.readTile.bind(published);
  published.readTile = async (origin, tile) => {
    if (isFirst) {
      isFirst = false;
      await sealer.seal();
    }
    return read(origin, tile);
  };
  t.match(await compareLog({ ...options, published }), { status: 'agrees', last: { size: 306 } });
});

test('nothing is appended to a log that differs, not even its beginning', async (t) => {
  const [site, empty] = [await openSealingSite(t), await openSealingSite(t)];
  await new Sealer(site.options).seal();
  const { pool, store } = empty.database;
  const emptied = { ...store, head: async () => 0, readLog: async () => [] };
  const deps = { ...testDeps, ...empty.options, store: emptied, published: site.options.published };
  const refused = await openComparedLog(deps, {}).catch((error: unknown) => error);
  t.type(refused, LogDiffers);
  t.match((refused as Error).message, /published up to event 1 .* ends at event 0.*log restored/);
  const { rowCount } = await pool.query('SELECT FROM events');
  t.equal(rowCount, 1);
});

test('how a log differs is told in words, with what to do', async (t) => {
  const last = { origin: 'proofmark/X', size: 9, root: Buffer.alloc(32) };
  const messages = [
    new LogDiffers({ status: 'shorter', last, head: 7 }),
    new LogDiffers({ status: 'forked', last, position: 8 }),
    new LogDiffers({ status: 'older-epoch', last, epoch: 1 }),
    new LogDiffers({ status: 'other-log', last, logId: 'Y' }),
    new LogDiffers({ status: 'storage-empty', origin: 'proofmark/X', size: 9 }),
    new LogDiffers({ status: 'storage-damaged', last }),
  ].map(({ message }) => message);
  t.ok(messages.every((message) => /\. Nothing is appended$/.test(message)));
  t.equal(messages.filter((message) => message.includes('log restored')).length, 5);
  t.match(messages[3], /two databases must not share a storage/);
});
