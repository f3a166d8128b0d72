import { test } from 'tap';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { DatabaseWentBack } from '../../../src/event-store/database-went-back.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { LogUnconfirmed, requireAgreement } from '../../../src/transparency-log/guard/check.ts';
import { comparePublished } from '../../../src/transparency-log/guard/compare-published.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { SubmittedMarkWriter } from '../../../src/transparency-log/publish/submitted-mark-writer.ts';
import { PublishedLog } from '../../../src/transparency-log/published/published-log.ts';
import type { SubmittedMark } from '../../../src/transparency-log/published/submitted-mark.ts';
import { MemoryLogFiles } from '../../support/memory-log-files.ts';
import {
  inEpoch,
  openPublishingSite,
  type PublishingSite,
  wentBack,
} from '../../support/publishing-site.ts';

/**
 * The log of a site up to a position, and then of another site, like a copy that went on by itself.
 */
function forkOf(
  site: PublishingSite,
  position: number,
  other: PublishingSite,
): PublishingSite['options'] {
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

function readersOf(published: PublishingSite['options']['published']) {
  return {
    readCheckpoint: () => published.readCheckpoint(),
    readTile: published.readTile.bind(published),
    readSubmitted: () => published.readSubmitted(),
  };
}

test('compares a log with its published checkpoints and tiles', async (t) => {
  const [site, other] = [await openPublishingSite(t), await openPublishingSite(t)];
  const { append, options, files, database } = site;
  t.strictSame(
    await comparePublished(options),
    { status: 'agrees', last: null },
    'before anything is published',
  );
  await append(599);
  await other.append(700);
  await new Publisher(options).publish();
  await append(3);
  const [opened] = await database.store.readLog(0, 1, ['LogOpened']);
  const { logId } = (opened as StoredEvent & { type: 'LogOpened' }).data;
  const last = { origin: originOf({ name: logName(logId), epoch: 1 }), size: 600 };
  t.match(await comparePublished(options), { status: 'agrees', last });

  await t.test('when the log lacks its newest events', async (t) => {
    const store = { ...options.store, head: async () => 599 };
    t.match(await comparePublished({ ...options, store }), { status: 'shorter', last, head: 599 });
    const empty = { ...store, head: async () => 0, readLog: async () => [] };
    const emptied = { ...options, store: { ...empty, readStream: async () => [] } };
    t.match(await comparePublished(emptied), { status: 'shorter', last, head: 0 });
  });

  await t.test('when the log went on from an older copy', async (t) => {
    for (const position of [1, 300, 512, 513, 599]) {
      const found = await comparePublished(forkOf(site, position, other));
      t.match(found, { status: 'forked', last, position: Math.max(513, position + 1) });
    }
    t.equal((await comparePublished(forkOf(site, 600, other))).status, 'agrees');
  });

  await t.test('when it is another log', async (t) => {
    const foreign = { ...other.options, published: options.published };
    t.match(await comparePublished(foreign), { status: 'other-log', origin: last.origin });
  });

  await t.test('when a transaction was submitted from another log', async (t) => {
    const { published } = options;
    const origin = originOf({ name: logName('01M7XT7V10RJ1CFD26ZBSKQXP6'), epoch: 5 });
    const mark = { origin, position: 3, leaf: 'ab'.repeat(32), lastLedger: 9 };
    await published.writeSubmitted('one', { ...mark, network: 'testnet' });
    t.strictSame(await comparePublished(options), { status: 'other-log', origin, logId });
    await published.removeSubmitted('one', { ...mark, network: 'testnet' });
    t.match(await comparePublished(options), { status: 'agrees', last });
  });

  await t.test('when a mark of a submitted transaction cannot be read', async (t) => {
    const name = 'submitted/000000001-0000000000000009-one';
    const refused = {
      name: 'NotAsWritten',
      message: /log\/submitted\/000000001-0000000000000009-one .*STORAGE_URL .*put it back/,
    };
    const mark = { position: 9, leaf: 'ab'.repeat(32), network: 'testnet', lastLedger: 9 };
    const cut = JSON.stringify({ ...mark, origin: last.origin.slice(0, -1) });
    const unpublished = new MemoryLogFiles();
    for (const damaged of ['{}', cut]) {
      files.files.set(name, Buffer.from(damaged));
      await t.rejects(comparePublished(options), refused);
      unpublished.files.set(name, Buffer.from(damaged));
      const published = new PublishedLog(unpublished);
      await t.rejects(comparePublished({ ...options, published }), refused);
    }
    files.files.delete(name);
  });

  await t.test('when the storage is empty or away', async (t) => {
    const published = new PublishedLog(new MemoryLogFiles());
    const found = await comparePublished({ ...options, published });
    t.match(found, { status: 'storage-empty', origin: last.origin, size: 600 });
    const restored = (data: object) => {
      const event = { type: 'LogRestored', data } as unknown as StoredEvent & {
        type: 'LogRestored';
      };
      const readStream = async (stream: Parameters<typeof options.store.readStream>[0]) => {
        return [...(await options.store.readStream(stream)), event];
      };
      const store = { ...options.store, readStream: readStream as typeof options.store.readStream };
      return comparePublished({ ...options, store, published });
    };
    const anew = await restored({ epoch: 2, published: null });
    t.match(anew, { status: 'agrees', last: null }, 'its new epoch is published anew');
    t.match(await restored({ epoch: 2, published: last }), { status: 'storage-empty' });
    t.match(await restored({ epoch: 1, published: null }), { status: 'storage-empty' });
    const away = new MemoryLogFiles();
    away.troubles = () => {
      throw new StorageUnavailable('away');
    };
    const compared = comparePublished({ ...options, published: new PublishedLog(away) });
    await t.rejects(compared, StorageUnavailable);
  });

  await t.test('when the first checkpoint is published and listed meanwhile', async (t) => {
    let reads = 0;
    const published = {
      ...readersOf(options.published),
      readCheckpoint: async () => {
        reads += 1;
        return reads === 1 ? null : options.published.readCheckpoint();
      },
    };
    t.match(await comparePublished({ ...options, published }), { status: 'agrees', last });
  });

  await t.test('when a checkpoint is published, and its marks removed, meanwhile', async (t) => {
    let isPublished = false;
    const published = {
      ...readersOf(options.published),
      readSubmitted: async () => {
        isPublished = true;
        return [];
      },
      readCheckpoint: async () => (isPublished ? options.published.readCheckpoint() : null),
    };
    const store = { ...options.store, head: async () => 599 };
    const { history } = other.options;
    const found = await comparePublished({ ...options, history, store, published });
    t.match(found, { status: 'shorter', last, head: 599 });
  });

  await t.test('when a published tile or checkpoint is damaged', async (t) => {
    const tiles = [...files.files.keys()].filter((name) => name.includes('/tile/'));
    t.equal(tiles.length, 4);
    for (const name of tiles) {
      const bytes = files.files.get(name) as Buffer;
      for (const damaged of [null, bytes.subarray(32), Buffer.alloc(bytes.length)]) {
        if (damaged === null) files.files.delete(name);
        else files.files.set(name, damaged);
        const found = await comparePublished(options);
        // Tiles below a full tile are covered by the tile above.
        const isNeeded = name.includes('.p/') || name.endsWith('tile/1/000');
        t.equal(found.status, isNeeded ? 'storage-damaged' : 'agrees', name);
      }
      files.files.set(name, bytes);
    }
    const [checkpoint = ''] = [...files.files.keys()].filter((name) => name.startsWith('check'));
    const note = files.files.get(checkpoint) as Buffer;
    files.files.set(checkpoint, Buffer.from('something else'));
    await t.rejects(
      comparePublished(options),
      /newest file of log\/checkpoints under STORAGE_URL .*remove it/,
    );
    files.files.set(checkpoint, note);
  });

  await t.test('when the log is in another epoch', async (t) => {
    const second = { ...options, store: inEpoch(options.store, 2) };
    t.strictSame(await comparePublished(second), { status: 'agrees', last: null });
    await new Publisher(second).publish();
    t.match(await comparePublished(options), { status: 'older-epoch', epoch: 1 });
    t.match(await comparePublished(second), {
      last: { origin: originOf({ name: logName(logId), epoch: 2 }), size: 603 },
    });
    const later = {
      origin: originOf({ name: logName(logId), epoch: 3 }),
      position: 603,
      leaf: 'ab'.repeat(32),
    };
    const mark = { ...later, network: 'testnet', lastLedger: 9 } as const;
    await options.published.writeSubmitted('one', mark);
    const expected = { status: 'older-epoch', origin: later.origin, epoch: 2 };
    t.match(await comparePublished(second), expected, 'one in which only something was submitted');
  });
});

test('detects a database that lost transactions submitted since the last checkpoint', async (t) => {
  for (const published of [true, false]) {
    const site = await openPublishingSite(t);
    const { append, options } = site;
    if (published) await new Publisher(options).publish();
    await append(5);
    const marks = new SubmittedMarkWriter({ ...options, network: 'testnet', writer: 'one' });
    await marks.cover(100);
    await append(5);
    await marks.cover(90);
    await marks.cover(95);
    t.match(await options.published.readSubmitted(), [{ position: 11, lastLedger: 100 }]);
    await marks.cover(5_000);
    await marks.cover(40);
    t.match(await options.published.readSubmitted(), [{ lastLedger: 40 }], 'of a new ledger');
    t.equal((await comparePublished(options)).status, 'agrees');
    await append(1);
    t.equal((await comparePublished(options)).status, 'agrees', 'later events may exist');
    const short = await comparePublished(wentBack(site, 10));
    t.match(short, { status: 'behind', by: 'submitted', position: 11, differsAt: null, head: 10 });
    const other = await comparePublished(wentBack(site, 10, [Buffer.alloc(32), Buffer.alloc(32)]));
    t.match(other, { status: 'behind', by: 'submitted', position: 11, differsAt: 11, head: 12 });
    t.equal((await comparePublished(wentBack(site, 11))).status, 'agrees');
    await new Publisher(options).publish();
    const [mark] = await options.published.readSubmitted();
    const forked = { ...(mark as SubmittedMark), position: 9, leaf: 'ab'.repeat(32) };
    await options.published.writeSubmitted('two', forked);
    const covered = { status: 'behind', by: 'submitted', position: 9, differsAt: 9 };
    t.match(await comparePublished(options), covered, 'published and continued from an older copy');
    await t.rejects(new Publisher(options).publish(), { name: 'LogDiffers' });
    await options.published.removeSubmitted('two', forked);
    await new Publisher(options).publish();
    t.strictSame(await options.published.readSubmitted(), [], 'the checkpoint now covers it');
  }
});

test('a mark is on stable storage before its call resolves, and the previous one stays until then', async (t) => {
  const site = await openPublishingSite(t);
  const { append, options, files } = site;
  const marks = new SubmittedMarkWriter({ ...options, network: 'testnet', writer: 'one' });
  await marks.cover(1);
  await append(1);
  files.troubles = (moment, what) => {
    if (moment === 'before' && what.startsWith('write')) throw new StorageUnavailable('away');
  };
  await t.rejects(marks.cover(2), StorageUnavailable);
  files.troubles = (moment, what) => {
    if (moment === 'before' && what.startsWith('remove')) throw new StorageUnavailable('away');
  };
  t.match(await options.published.readSubmitted(), [{ position: 1 }]);
  await marks.cover(2);
  t.equal((await options.published.readSubmitted()).length, 2, 'an extra mark is harmless');
  t.equal((await comparePublished(options)).status, 'agrees');
  const went = { current: options };
  const leaves = { read: (after: number, limit: number) => went.current.leaves.read(after, limit) };
  const store = { ...options.store, head: () => went.current.store.head() };
  const running = new SubmittedMarkWriter({
    ...options,
    store,
    leaves,
    network: 'testnet',
    writer: 'two',
  });
  await running.cover(3);
  went.current = wentBack(site, 1, [Buffer.alloc(32), Buffer.alloc(32)]);
  await t.rejects(running.cover(4), DatabaseWentBack);
});

test('detects a database that lost events in a tile stored since the last checkpoint', async (t) => {
  const site = await openPublishingSite(t);
  const { append, options, files } = site;
  await append(250);
  await new Publisher(options).publish();
  await append(1_000);
  files.troubles = (moment, what) => {
    if (moment === 'before' && /write .*(000$|\.p\/|checkpoints)/.test(what))
      throw new Error('killed');
  };
  await t.rejects(new Publisher(options).publish(), /killed/);
  files.troubles = () => {};
  t.equal((await comparePublished(options)).status, 'agrees');
  const tiles = [...files.files.keys()].filter((name) => /tile\/0\/\d+$/.test(name)).sort();
  t.match(tiles.at(-1), /003$/, 'all full tiles but the first were written');
  const short = await comparePublished(wentBack(site, 1_000));
  t.match(short, { status: 'behind', by: 'tile', position: 1_024, differsAt: null, head: 1_000 });
  t.match(short, { agreesTo: 1_000 });
  const others = Array.from({ length: 100 }, () => Buffer.alloc(32));
  const other = wentBack(site, 600, others);
  t.match(await comparePublished(other), { status: 'behind', position: 1_024, differsAt: 601 });
  await t.rejects(new Publisher(other).publish(), { name: 'LogDiffers' }, 'nothing is published');
  const next = { ...other, store: inEpoch(other.store, 2) };
  t.match(await new Publisher(next).publish(), { size: 700 }, 'published as a new epoch');
});

test('a checkpoint published during the comparison does not look like damage', async (t) => {
  const site = await openPublishingSite(t);
  const { append, files, options } = site;
  await append(300);
  const publisher = new Publisher(options);
  await publisher.publish();
  await append(5);
  let isFirst = true;
  const published = new PublishedLog(files);
  const read = published.readTile.bind(published);
  published.readTile = async (origin, tile) => {
    if (isFirst) {
      isFirst = false;
      await publisher.publish();
    }
    return read(origin, tile);
  };
  t.match(await comparePublished({ ...options, published }), {
    status: 'agrees',
    last: { size: 306 },
  });
});

test('refuses an empty database with a published log', async (t) => {
  const [site, empty] = [await openPublishingSite(t), await openPublishingSite(t)];
  await new Publisher(site.options).publish();
  const { pool, store } = empty.database;
  const emptied = { ...store, head: async () => 0, readLog: async () => [] };
  const compared = { ...empty.options, store: emptied, published: site.options.published };
  const verdict = await comparePublished(compared);
  const refused = t.throws(() => requireAgreement(verdict));
  t.type(refused, LogUnconfirmed);
  t.match(
    (refused as Error).message,
    /published up to event 1 .* the database is empty: .*restore a backup/,
  );
  const { rowCount } = await pool.query('SELECT FROM events');
  t.equal(rowCount, 1);
});

test('a difference is reported in words, with the next step', async (t) => {
  const last = { origin: 'proofmark/X', size: 9, root: Buffer.alloc(32) };
  const behind = {
    status: 'behind',
    last,
    origin: last.origin,
    position: 11,
    head: 10,
    agreesTo: 9,
  } as const;
  const messages = [
    new LogUnconfirmed({ status: 'shorter', last, head: 7 }),
    new LogUnconfirmed({ status: 'forked', last, position: 8 }),
    new LogUnconfirmed({ status: 'older-epoch', last, origin: 'proofmark/X/2', epoch: 1 }),
    new LogUnconfirmed({ status: 'other-log', origin: 'proofmark/X', logId: 'Y' }),
    new LogUnconfirmed({ status: 'storage-empty', origin: 'proofmark/X', size: 9 }),
    new LogUnconfirmed({ status: 'storage-damaged', last }),
    new LogUnconfirmed({ ...behind, by: 'submitted', differsAt: null }),
    new LogUnconfirmed({ ...behind, by: 'tile', differsAt: 8 }),
  ].map(({ message }) => message);
  t.ok(messages.every((message) => /\. Nothing is appended$/.test(message)));
  t.equal(messages.filter((message) => message.includes('log restored')).length, 7);
  t.match(messages[6], /had reached event 11 when .* submitted, but the database ends at event 10/);
  t.match(messages[3], /two databases must not share a storage/);
});
