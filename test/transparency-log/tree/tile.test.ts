import { test } from 'tap';
import {
  parseTilePath,
  partialTiles,
  tilePath,
  tileWidth,
  widthIn,
} from '../../../src/transparency-log/tree/tile.ts';

test('tile paths follow C2SP tlog-tiles', async (t) => {
  const paths = [
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, index: 999, width: 256 }, 'tile/0/999'],
    [{ level: 1, index: 1_000, width: 256 }, 'tile/1/x001/000'],
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
    [{ level: 0, index: 1_234_067, width: 8 }, 'tile/0/x001/x234/067.p/8'],
    [{ level: 63, index: 5, width: 255 }, 'tile/63/005.p/255'],
  ] as const;
  for (const [tile, path] of paths) {
    t.equal(tilePath(tile), path);
    t.strictSame(parseTilePath(path), tile);
  }
});

test('refuses paths that are not of a tile', async (t) => {
  const others = [
    ...['', 'tile', 'tile/0', 'tile/0/', 'tile/0/0', 'tile/0/0000', 'tile/00/000', 'tile/64/000'],
    ...['tile/-1/000', 'tile/0/x000/000', 'tile/0/x001', 'tile/0/001/000', 'tile/0/x001/x000'],
    ...['tile/0/000.p', 'tile/0/000.p/', 'tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/01'],
    ...['tile/0/000/', '/tile/0/000', 'tile/0/000\n', 'tile/0/../000', 'tile/entries/000'],
    ...['tile/0/x999/x999/x999/x999/x999/999', 'tile/0/x001x234/067', 'tile/0/٠٠٠', 'tile/+0/000'],
  ];
  t.strictSame(
    others.filter((path) => parseTilePath(path) !== null),
    [],
  );
});

test('a tree of 70,000 leaves has the tiles counted in tlog-tiles', async (t) => {
  t.strictSame(partialTiles(70_000), [
    { level: 0, index: 273, width: 112 },
    { level: 1, index: 1, width: 17 },
    { level: 2, index: 0, width: 1 },
  ]);
  t.equal(widthIn(70_000, { level: 0, index: 272 }), tileWidth);
  t.equal(widthIn(70_000, { level: 0, index: 273 }), 112);
  t.equal(widthIn(70_000, { level: 0, index: 274 }), 0);
  t.equal(widthIn(70_000, { level: 1, index: 0 }), tileWidth);
  t.equal(widthIn(70_000, { level: 2, index: 0 }), 1);
  t.equal(widthIn(70_000, { level: 3, index: 0 }), 0);
  t.strictSame(partialTiles(256), [{ level: 1, index: 0, width: 1 }]);
  t.strictSame(partialTiles(0), []);
});
