import { test } from 'tap';
import { createLeaves } from '../../../src/event-store/leaves.ts';
import { openCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner, parseVerifierKey } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import {
  parseTilePath,
  partialTiles,
  splitTile,
  tilePath,
} from '../../../src/transparency-log/tree/tile.ts';
import { tileNodes } from '../../../src/transparency-log/tree/tile-nodes.ts';
import { openTestStore } from '../../support/event-store.ts';
import { startHttpService } from '../../support/http-service.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { logSeed } from '../../support/publishing-site.ts';

test('serves the log in the C2SP formats, verifiable with its key alone', async (t) => {
  const service = await startHttpService(t);
  const { store, url } = service;
  const none = await service.call('GET', '/log/checkpoint');
  t.match(none, { status: 404, body: { success: false, code: 'NOT_FOUND' } });
  t.match(await service.call('GET', '/log/tile/0/000.p/1'), { status: 404 });
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
  const key = parseVerifierKey(noteSigner(origin, logSeed).vkey);
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
  t.match(await service.call('GET', '/log/'), { status: 404 });
  t.equal((await fetch(`${service.url}/log/checkpoint`, { method: 'HEAD' })).status, 200);
});

test('a tile replaced during the read is read from the newer tree, and a lost one is 503', async (t) => {
  const service = await startHttpService(t);
  const { published } = service.services;
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
