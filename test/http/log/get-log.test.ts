import tap, { test } from 'tap';
import { createLeaves } from '../../../src/event-store/leaves.ts';
import { loadLog } from '../../../src/loading/load-log.ts';
import { CheckpointRequests } from '../../../src/reactors/anchoring/checkpoint-requests.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import {
  openCheckpoint,
  readCheckpoint,
  signCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { addCosignature } from '../../../src/transparency-log/published/cosigned-checkpoints.ts';
import {
  addPublished,
  readNewestCheckpoint,
} from '../../../src/transparency-log/published/published-checkpoints.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import {
  parseTilePath,
  partialTiles,
  splitTile,
  tilePath,
} from '../../../src/transparency-log/tree/tile.ts';
import { tileNodes } from '../../../src/transparency-log/tree/tile-nodes.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { verifyInclusion } from '../../../src/verifier/log/verify-inclusion.ts';
import { anchor, anchorNewest } from '../../support/anchor-checkpoint.ts';
import { openTestStore } from '../../support/event-store.ts';
import { startHttpService } from '../../support/http-service.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { logSeed } from '../../support/publishing-site.ts';
import { sampleCosigner } from '../../support/witness-servers.ts';

interface Listed {
  readonly number: number;
  readonly logKeys: readonly string[];
  readonly anchor: { readonly transactionHash: string } | null;
}

const service = await startHttpService(tap);

test('serves the log in the C2SP formats, verifiable with its key alone', async (t) => {
  const { store, url } = service;
  const none = await service.call('GET', '/log/checkpoint');
  t.match(none, { status: 404, body: { success: false, code: 'NOT_FOUND' } });
  t.match(await service.call('GET', '/log/tile/0/000.p/1'), { status: 404 });
  t.match(await service.call('GET', '/log/leaves/0'), { status: 404, body: { code: 'NOT_FOUND' } });
  for (const query of ['', '?anchored=true']) {
    const { body } = await service.call('GET', `/log/checkpoints${query}`);
    t.match(body, { success: true, data: [], meta: { page: 1, limit: 10, total: 0 } });
  }
  const append = (stream: string, count: number) =>
    store.append([markedEntry(stream, 0, ...Array.from({ length: count }, String))], {});
  await append('first', 9);
  await service.publish();
  const early = await (await fetch(`${url}/log/tile/0/000.p/10`)).bytes();
  await append('second', 600);
  await service.publish();

  const answer = await service.call('GET', '/log/checkpoint');
  t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  t.equal(answer.headers.get('cache-control'), 'no-cache');
  const [origin = ''] = answer.text.split('\n');
  const key = readLogKey(noteSigner(origin, logSeed).vkey);
  if (key === null) throw new Error('no key');
  const opened = openCheckpoint(answer.text, [key]);
  if (opened.status !== 'verified') throw new Error(opened.status);
  const { size, root } = opened.checkpoint;
  t.equal(size, 610);

  const fetched: string[] = [];
  const read = tileNodes(size, async (tile) => {
    fetched.push(tilePath(tile));
    const response = await fetch(`${url}/log/${tilePath(tile)}`);
    t.equal(response.headers.get('content-type'), 'application/octet-stream');
    t.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.equal(response.headers.get('x-content-type-options'), 'nosniff');
    return Buffer.from(await response.bytes());
  });
  const leaves = await read(Array.from({ length: size }, (_, index) => ({ level: 0, index })));
  t.ok(rootOf(leaves).equals(root), 'the tiles give the signed root');
  const { pool } = openTestStore(t, service.databaseUrl, { maxConnections: 2 });
  const stored = await createLeaves(pool).read(0, size);
  t.ok(Buffer.concat([...stored]).equals(Buffer.concat([...leaves])));
  t.strictSame(fetched, ['tile/0/000', 'tile/0/001', 'tile/0/002.p/98']);

  const again = await (await fetch(`${url}/log/tile/0/000.p/10`)).bytes();
  t.strictSame(again, early, 'a partial tile of an earlier checkpoint stays the same');
  t.equal(splitTile(Buffer.from(again)).length, 10);
});

test('lists checkpoints with their cosignatures and anchors, newest first, and places leaves', async (t) => {
  const { store, services, call } = service;
  const cosigner = sampleCosigner(1);
  const earlier: number = (await call('GET', '/log/checkpoints')).body.meta.total;
  const hashes: (string | null)[] = [];
  for (let added = 1; added <= 5; added += 1) {
    await store.append([markedEntry(`stream-${added}`, 0, 'a')], {});
    await service.publish();
    const note = (await call('GET', '/log/checkpoint')).text;
    const lines = cosigner.cosign(note.slice(0, note.indexOf('\n\n') + 1), 1_700_000_000);
    const number = earlier + added;
    if (added === 3)
      await addCosignature(services.events.db, { number, vkey: cosigner.vkey, lines });
    hashes.push(added % 2 === 0 ? await anchorNewest(service) : null);
  }
  const head = await store.head();
  await awaitPosition(services.events.db, 'checkpoint-anchors', head, {
    signal: services.events.signal,
  });
  const list = async (query: string) => (await call('GET', `/log/checkpoints?${query}`)).body;
  const all = await list('limit=5');
  t.strictSame(all.meta, { page: 1, limit: 5, total: earlier + 5 });
  t.strictSame(
    all.data.map((one: Listed) => [one.number, one.anchor?.transactionHash ?? null]),
    [5, 4, 3, 2, 1].map((added) => [earlier + added, hashes[added - 1]]),
  );
  t.equal(all.data[0].checkpoint, (await call('GET', '/log/checkpoint')).text);
  const [origin = '', size = '', root = ''] = all.data[1].checkpoint.split('\n');
  const rootHash = Buffer.from(root, 'base64').toString('hex');
  t.strictSame(all.data[1].anchor, {
    ...{ network: 'mainnet', standalone: false, transactionHash: hashes[3] },
    explorerUrl: `https://livenet.xrpl.org/transactions/${hashes[3]}`,
    ...{ ledgerIndex: 1_000, ledgerCloseTime: '2026-11-21T02:00:01.000Z' },
    memo: JSON.stringify({ origin, size: Number(size), rootHash }),
  });
  const key = readLogKey(all.data[2].logKeys[0]);
  if (key === null) throw new Error('no key');
  t.equal(openCheckpoint(all.data[2].checkpoint, [key]).status, 'verified');
  t.match(all.data[2].checkpoint, /— w1\.example\/w /);
  const numbers = async (query: string) =>
    (await list(query)).data.map(({ number }: Listed) => number - earlier);
  t.strictSame(await numbers('limit=2'), [5, 4]);
  t.strictSame(await numbers('limit=2&page=3'), [1, 0]);
  t.strictSame(await numbers(`limit=2&page=${earlier + 5}`), []);
  t.strictSame(await numbers('anchored=true&limit=1'), [4]);
  t.strictSame(await numbers('anchored=true&limit=1&page=2'), [2]);
  t.strictSame(await numbers('anchored=true&limit=1&page=3'), []);
  for (const query of ['limit=21', 'limit=0', 'page=0', 'anchored=perhaps']) {
    t.match(await call('GET', `/log/checkpoints?${query}`), { status: 400 }, query);
  }

  const { body } = await call('GET', '/log/leaves/0');
  t.equal(body.data.checkpoint, all.data[0].checkpoint);
  const newest = readCheckpoint(body.data.checkpoint);
  if (newest === null) throw new Error('no checkpoint');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const proof = body.data.hashes.map(bytes);
  const place = { leaf: bytes(body.data.leafHash), index: 0, size: newest.size, proof };
  t.ok(verifyInclusion({ ...place, root: newest.root }));
  t.equal((await call('GET', `/log/leaves/${newest.size - 1}`)).status, 200);
  t.equal((await call('GET', `/log/leaves/${newest.size}`)).status, 404);
  for (const wrong of ['-1', '1.5', 'x', '9'.repeat(16)]) {
    t.match(await call('GET', `/log/leaves/${wrong}`), { status: 400 }, wrong);
  }

  const second = noteSigner(`${origin}/2`, logSeed);
  const restored = { origin: second.name, size: newest.size, root: newest.root };
  const number = earlier + 6;
  await addPublished(services.events.db, {
    ...{ number, note: signCheckpoint(restored, [second]), vkeys: [second.vkey] },
  });
  const epochs = await list('limit=2');
  t.strictSame(
    epochs.data.map((one: Listed) => [one.logKeys, one.anchor]),
    [
      [[second.vkey], null],
      [all.data[0].logKeys, null],
    ],
    'of each epoch with its key',
  );
});

test('lists the anchored checkpoints, also of a log that grows all the time', async (t) => {
  const service = await startHttpService(t);
  const { store, services, call } = service;
  const { pool, db } = openTestStore(t, service.databaseUrl, { maxConnections: 2 });
  const leaves = createLeaves(pool);
  const published = () => readNewestCheckpoint(db);
  const requests = new CheckpointRequests({ store, leaves, published, account: null });
  const append = (stream: string) => store.append([markedEntry(stream, 0, 'a')], {});
  await append('first');
  await service.publish();
  await append('second');
  const log = await loadLog(store);
  if (log === null) throw new Error('no log');
  const requested = await requests.request(log, 'interval', {});
  if (requested.outcome !== 'requested') throw new Error(requested.outcome);
  const { memo } = requested;
  const transactionHash = await anchor(service, memo);
  await service.publish();
  // Earlier releases anchored checkpoints of the head, most of which were never published.
  await anchor(service, { ...memo, size: memo.size - 1 });
  const head = await store.head();
  await awaitPosition(services.events.db, 'checkpoint-anchors', head, {
    signal: services.events.signal,
  });
  const { body } = await call('GET', '/log/checkpoints?anchored=true');
  t.strictSame(body.meta, { page: 1, limit: 10, total: 1 });
  t.match(body.data, [{ number: 1, anchor: { transactionHash } }]);
  t.match((await call('GET', '/log/checkpoints')).body.data, [
    { number: 2, anchor: null },
    { number: 1, anchor: { transactionHash } },
  ]);
});

test('a malformed or unpublished tile is refused in JSON', async (t) => {
  const service = await startHttpService(t);
  await service.store.append([markedEntry('some', 0, ...Array.from({ length: 299 }, String))], {});
  await service.publish();
  t.strictSame(partialTiles(300).map(tilePath), ['tile/0/001.p/44', 'tile/1/000.p/1']);
  const statusOf = async (path: string) => {
    const { status, body, headers } = await service.call('GET', `/log/tile/${path}`);
    if (status !== 200) {
      t.match(body, { success: false, code: status === 400 ? 'INVALID_REQUEST' : 'NOT_FOUND' });
      t.equal(headers.get('cache-control'), 'no-store', 'the tile may be published later');
    }
    return status;
  };
  for (const [path, status] of [
    ['0/000', 200],
    ['0/001.p/44', 200],
    ['0/001.p/1', 200],
    ['0%2f001.p%2f1', 200],
    ['1/000.p/1', 200],
    ['0/001', 404],
    ['0/001.p/45', 404],
    ['0/002.p/1', 404],
    ['1/000.p/2', 404],
    ['2/000.p/1', 404],
    ['63/x999/999', 404],
    ['entries/000', 404],
    ['0/0', 400],
    ['0/000.p/0', 400],
    ['0/000.p/256', 400],
    ['64/000', 400],
    ['0/x000/000', 400],
    ['0/000/', 200],
    ['0/000//', 400],
    ['0/..%2f..%2fcheckpoints', 400],
    ['0', 400],
    ['%00', 400],
  ] as const) {
    t.equal(await statusOf(path), status, path);
  }
  t.match(await service.call('GET', '/log/tile/0/%ff'), { status: 400 });
  t.match(await service.call('POST', '/log/checkpoint'), { status: 405 });
  t.match(await service.call('GET', '/log/tile'), { status: 404 });
  t.match(await service.call('GET', '/log/'), { status: 308 }, 'the page of the log');
  t.equal((await fetch(`${service.url}/log/checkpoint`, { method: 'HEAD' })).status, 200);
});

test('a tile replaced during the read is read from the newer tree, and a lost one is 503', async (t) => {
  const service = await startHttpService(t);
  const {
    publishedLog: { published },
  } = service.services;
  await service.publish();
  const origin = (await service.call('GET', '/log/checkpoint')).text.split('\n')[0] ?? '';
  const read = published.readTile.bind(published);
  let isFirst = true;
  Object.assign(published, {
    readTile: async (...where: Parameters<typeof read>) => {
      if (isFirst) {
        isFirst = false;
        await service.store.append([markedEntry('more', 0, 'a', 'b')], {});
        await service.publish();
      }
      return read(...where);
    },
  });
  t.equal((await service.call('GET', '/log/tile/0/000.p/1')).status, 200);
  const tile = parseTilePath('tile/0/000.p/3');
  if (tile === null) throw new Error('no tile');
  await (published as unknown as { removeTile: (...at: unknown[]) => Promise<void> }).removeTile(
    origin,
    tile,
  );
  const lost = await service.call('GET', '/log/tile/0/000.p/1');
  t.match(lost, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  t.ok(lost.headers.get('retry-after'));
});
