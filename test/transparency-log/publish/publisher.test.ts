import { test } from 'tap';
import { faultInWords } from '../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../ops/audit/findings/findings.ts';
import { auditLog } from '../../../ops/audit/log/audit-log.ts';
import { logDecider } from '../../../src/domain/log/decider.ts';
import { parseOrigin } from '../../../src/domain/log/origin.ts';
import {
  openCheckpoint,
  readCheckpoint,
  signCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { currentOrigin } from '../../../src/transparency-log/current-origin.ts';
import { handleLog } from '../../../src/transparency-log/handle-log.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { addPublished } from '../../../src/transparency-log/published/published-checkpoints.ts';
import { PublishedLog } from '../../../src/transparency-log/published/published-log.ts';
import {
  proveConsistency,
  verifyConsistency,
} from '../../../src/transparency-log/tree/consistency-proof.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { parseTilePath, widthIn } from '../../../src/transparency-log/tree/tile.ts';
import { tileNodes } from '../../../src/transparency-log/tree/tile-nodes.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { openTestStore } from '../../support/event-store.ts';
import { listPublished } from '../../support/list-published.ts';
import {
  inEpoch,
  logSeed,
  openPublishingSite,
  type PublishingSite,
} from '../../support/publishing-site.ts';

/** Begins epoch 2 after a restore that kept the first events. */
async function restore({ database: { store }, leaves }: PublishingSite, keptSize: number) {
  const keptRootHash = rootOf(await leaves.read(0, keptSize)).toString('hex');
  const nothing = { published: null, anchored: null, reached: null, earlier: [] };
  const restored = { epoch: 2, keptSize, keptRootHash, ...nothing };
  await handleLog(store, (state) => logDecider.restore(state, restored), {});
}

/** Faults that an audit finds in the checkpoints and tiles. */
async function auditedFaults({ database: { pool }, options }: PublishingSite) {
  const findings = new Findings();
  const { published } = options;
  await auditLog({ database: pool, published, trusted: null, findings, listedWithinMs: 0 });
  const { faults } = findings.report();
  return faults.map(faultInWords).filter((fault) => /^(checkpoints|tiles)/.test(fault));
}

/** Faults of the published log, found with all leaves and the keys alone. */
async function faultsOf({ database, leaves, options }: PublishingSite): Promise<string[]> {
  const { published } = options;
  const rows = await listPublished(database.db, 0, 1_000);
  const newest = rows.at(-1);
  if (newest === undefined) return ['nothing is published'];
  const faults: string[] = [];
  if ((await published.readCheckpoint()) !== newest.note) faults.push('stored and served differ');
  const all = await leaves.read(0, newest.size);
  const read = tileNodes(newest.size, async (tile) => {
    const bytes = await published.readTile(newest.origin, tile);
    if (bytes === null) throw new Error(`no tile ${JSON.stringify(tile)}`);
    return bytes;
  });
  const newestRoot = rootOf(all);
  for (const [at, { number, note, vkeys, size }] of rows.entries()) {
    const keys = vkeys.map((vkey) => readLogKey(vkey)).filter((key) => key !== null);
    const opened = openCheckpoint(note, keys);
    if (opened.status !== 'verified') return [...faults, `${number} is ${opened.status}`];
    const { root } = opened.checkpoint;
    if (number !== at + 1) faults.push(`${number} is the ${at + 1}th`);
    if (size <= (rows[at - 1]?.size ?? 0)) faults.push(`${number} is not larger`);
    if (!rootOf(all.slice(0, size)).equals(root)) faults.push(`${number} has another root`);
    const proof = await proveConsistency(size, newest.size, read);
    const newer = { size: newest.size, root: newestRoot };
    if (!verifyConsistency({ older: { size, root }, newer, proof })) {
      faults.push(`${number} is not consistent`);
    }
  }
  return faults;
}

test('a growing log is published in tiles and checkpoints, an unchanged log is left alone', async (t) => {
  const site = await openPublishingSite(t);
  const { append, files, options, database } = site;
  const publisher = new Publisher(options);
  t.strictSame(await publisher.publish(), { size: 1, isBehind: false });
  for (const count of [4, 250, 1, 1, 300]) {
    await append(count);
    await publisher.publish();
    t.strictSame(await faultsOf(site), []);
  }
  const rows = await listPublished(database.db, 0, 100);
  t.strictSame(
    rows.map(({ size }) => size),
    [1, 5, 255, 256, 257, 557],
  );
  const before = new Map(files.files);
  const effects: string[] = [];
  files.troubles = (_, what) => effects.push(what);
  t.strictSame(await publisher.publish(), { size: 557, isBehind: false });
  t.strictSame(effects, [], 'no read or write without new events');
  t.strictSame(files.files, before);
  const names = [...before.keys()].map((name) => name.split('/').slice(2).join('/')).sort();
  t.strictSame(names, ['', 'tile/0/000', 'tile/0/001', 'tile/0/002.p/45', 'tile/1/000.p/2']);
});

test('a publisher killed before or after any effect leaves a log that the next one completes', async (t) => {
  const site = await openPublishingSite(t);
  const { append, files, options } = site;
  await append(250);
  await new Publisher(options).publish();
  let failures = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let effect = 0; ; effect += 1) {
      await append(effect % 9 === 0 ? 260 : 3);
      let left = effect;
      files.troubles = (now) => {
        if (now !== moment) return;
        left -= 1;
        if (left === -1) throw new Error('the power is gone');
      };
      const ended = await new Publisher(options).publish().catch((error: Error) => error.message);
      files.troubles = () => {};
      const served = (await listPublished(site.database.db, 0, 1_000)).at(-1);
      const stored = readCheckpoint((await options.published.readCheckpoint()) ?? '');
      if ((stored?.size ?? 0) < (served?.size ?? 0)) t.fail('the served checkpoint is not stored');
      if (left >= 0) break;
      failures += 1;
      t.equal(ended, 'the power is gone');
      await new Publisher(options).publish();
      const faults = await faultsOf(site);
      if (faults.length > 0) t.fail(`${moment} effect ${effect}: ${faults}`);
    }
  }
  t.ok(failures > 20, `${failures} interruptions`);
  t.strictSame(await faultsOf(site), []);
});

test('a checkpoint row whose insertion seemed to fail is stored once', async (t) => {
  const site = await openPublishingSite(t);
  let isLost = true;
  const history = site.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isLost && result.numAffectedRows === 1n) throw new Error('the connection is lost');
      return result;
    },
  });
  const publisher = new Publisher({ ...site.options, history });
  await t.rejects(publisher.publish(), /connection is lost/);
  isLost = false;
  await publisher.publish();
  t.strictSame(await faultsOf(site), []);
  t.equal((await listPublished(site.database.db, 0, 10)).length, 1);
});

test('a publisher that was frozen publishes nothing old, and continues with new events', async (t) => {
  const site = await openPublishingSite(t);
  const { append, options } = site;
  const frozen = new Publisher(options);
  await frozen.publish();
  await append(5);
  const late = { ...options, published: new PublishedLog(site.files) };
  let wake: () => void = () => {};
  const waking = new Promise<void>((resolve) => {
    wake = resolve;
  });
  late.published.writeCheckpoint = async (note) => {
    await waking;
    await options.published.writeCheckpoint(note);
  };
  const sleeper = new Publisher(late);
  const sleeping = sleeper.publish();
  await append(7);
  await new Publisher(options).publish();
  wake();
  await t.rejects(sleeping, /another process publishes/);
  t.strictSame(await faultsOf(site), [], 'its older checkpoint hides nothing');
  await append(1);
  await sleeper.publish();
  t.strictSame(await faultsOf(site), []);
  await t.rejects(frozen.publish(), /another process publishes/);
  await append(1);
  await frozen.publish();
  t.strictSame(await faultsOf(site), []);
});

test('a long log is published in several parts', async (t) => {
  const site = await openPublishingSite(t);
  await site.append(699);
  const publisher = new Publisher({ ...site.options, maxEvents: 300 });
  t.strictSame(await publisher.publish(), { size: 300, isBehind: true });
  t.strictSame(await publisher.publish(), { size: 600, isBehind: true });
  t.strictSame(await new Publisher({ ...site.options, maxEvents: 300 }).publish(), {
    size: 700,
    isBehind: false,
  });
  t.strictSame(await faultsOf(site), []);
});

test('detects a database that went back under a running publisher, and publishes nothing of it', async (t) => {
  const [site, copy] = [await openPublishingSite(t), await openPublishingSite(t)];
  await site.append(30);
  let current = site;
  const publisher = new Publisher({
    ...site.options,
    store: {
      head: () => current.options.store.head(),
      // Both are the same log, up to the first event.
      readLog: (...page) => site.options.store.readLog(...page),
      readStream: (stream) => site.options.store.readStream(stream),
      readNewest: (...newest) => site.options.store.readNewest(...newest),
    },
    leaves: { read: (...page) => current.leaves.read(...page) },
  });
  await publisher.publish();
  const before = new Map(site.files.files);
  current = copy;
  await t.rejects(publisher.publish(), /does not hold what was published/);
  await t.rejects(publisher.publish(), { name: 'LogDiffers' });
  await copy.append(60);
  t.match(await publisher.publish().catch((error: unknown) => error), {
    reason: { status: 'forked', position: 1 },
  });
  t.strictSame(site.files.files, before);
});

test('a storage that went back is completed again, consistent with published checkpoints', async (t) => {
  const site = await openPublishingSite(t);
  const { append, files, options } = site;
  await append(200);
  await new Publisher(options).publish();
  const older = new Map(files.files);
  await append(300);
  await new Publisher(options).publish();
  files.files.clear();
  for (const [name, bytes] of older) files.files.set(name, bytes);
  await new Publisher(options).publish();
  t.strictSame(await faultsOf(site), []);
});

test('a new epoch is published from the first event on, under its own name', async (t) => {
  const site = await openPublishingSite(t);
  const { append, files, options, database } = site;
  await append(300);
  await new Publisher(options).publish();
  const { store } = database;
  const epochs = inEpoch(store, 2);
  await append(10);
  await new Publisher({ ...options, store: epochs }).publish();
  const rows = await listPublished(database.db, 0, 10);
  t.strictSame(
    rows.map(({ origin, size }) => [parseOrigin(origin)?.epoch, size]),
    [
      [1, 301],
      [2, 311],
    ],
  );
  const names = [...files.files.keys()];
  t.equal(
    names.filter((name) => name.startsWith('checkpoints/')).length,
    2,
    'the old checkpoint stays',
  );
  t.ok(names.some((name) => name.includes('/1/tile/0/000')));
  t.ok(names.some((name) => name.includes('/2/tile/0/000')));
});

test('a new epoch of a long log begins with a checkpoint beyond the restore, also after a kill', async (t) => {
  const site = await openPublishingSite(t);
  const { append, options, database } = site;
  await append(699);
  await new Publisher(options).publish();
  await append(20);
  await restore(site, 700);
  await append(30);
  const published = async () =>
    (await listPublished(database.db, 0, 10)).map(({ origin, size }) => [
      parseOrigin(origin)?.epoch,
      size,
    ]);
  const killed = new Publisher({ ...options, maxEvents: 300 });
  t.strictSame(await killed.publish(), { size: 300, isBehind: true });
  t.strictSame(await published(), [[1, 700]], 'tiles alone so far');
  const publisher = new Publisher({ ...options, maxEvents: 300 });
  for (const size of [300, 600]) {
    t.strictSame(await publisher.publish(), { size, isBehind: true });
  }
  t.strictSame(await publisher.publish(), { size: 751, isBehind: false });
  t.strictSame(await published(), [
    [1, 700],
    [2, 751],
  ]);
  t.strictSame(await auditedFaults(site), []);
});

test('an audit compares the roots of checkpoints that 0.1.0 listed for each part of a new epoch', async (t) => {
  for (const isForged of [false, true]) {
    const site = await openPublishingSite(t);
    const { append, options, database, leaves } = site;
    await append(699);
    await new Publisher(options).publish();
    await restore(site, 700);
    const origin = await currentOrigin(options.store);
    const signer = noteSigner(origin, logSeed);
    const root = isForged ? Buffer.alloc(32) : rootOf(await leaves.read(0, 300));
    const note = signCheckpoint({ origin, size: 300, root }, [signer]);
    await addPublished(database.db, { number: 2, note, vkeys: [signer.vkey] });
    await new Publisher(options).publish();
    const what = 'checkpoint 2: the root of the first 300 events differs';
    t.match(await auditedFaults(site), isForged ? [new RegExp(what)] : []);
  }
});

test('all configured keys sign', async (t) => {
  const site = await openPublishingSite(t);
  const seeds = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
  await new Publisher({ ...site.options, seeds }).publish();
  const [row] = await listPublished(site.database.db, 0, 1);
  t.equal(row?.vkeys.length, 2);
  for (const vkey of row?.vkeys ?? []) {
    const key = readLogKey(vkey);
    t.equal(key && openCheckpoint(row?.note ?? '', [key]).status, 'verified');
  }
});

test('checkpoint rows are append-only, and a full tile never gets other bytes', async (t) => {
  const site = await openPublishingSite(t);
  await site.append(300);
  await new Publisher(site.options).publish();
  const { pool } = site.database;
  await t.rejects(pool.query("UPDATE published_checkpoints SET vkeys = ''"), /append-only/);
  await t.rejects(pool.query('DELETE FROM published_checkpoints'), /append-only/);
  await t.rejects(pool.query('TRUNCATE published_checkpoints'), /append-only/);
  const name = [...site.files.files.keys()].find((file) => file.endsWith('tile/0/000'));
  const [logId = '', epoch = '', ...path] = name?.split('/') ?? [];
  const tile = parseTilePath(path.join('/'));
  if (tile === null) throw new Error('no tile');
  t.equal(widthIn(301, tile), 256);
  const { published } = site.options;
  const origin = `proofmark/${logId}${epoch === '1' ? '' : `/${epoch}`}`;
  await t.rejects(published.writeTile(origin, { tile, bytes: Buffer.alloc(8_192) }), {
    name: 'TileConflict',
  });
  await t.rejects(published.removeTile(origin, tile), TypeError);
});

test('publishes nothing while commits are not durable', async (t) => {
  const site = await openPublishingSite(t);
  const { pool } = site.database;
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  await pool.query(`ALTER DATABASE "${rows[0]?.name}" SET synchronous_commit = off`);
  const later = openTestStore(t, site.database.url, { maxConnections: 2 });
  await t.rejects(
    new Publisher({ ...site.options, history: later.db }).publish(),
    /synchronous_commit/,
  );
});
