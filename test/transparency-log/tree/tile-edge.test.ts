import { test } from 'tap';
import {
  proveConsistency,
  verifyConsistency,
} from '../../../src/transparency-log/tree/consistency-proof.ts';
import { Frontier } from '../../../src/transparency-log/tree/frontier.ts';
import { proveInclusion } from '../../../src/transparency-log/tree/inclusion-proof.ts';
import { type Tile, tilePath } from '../../../src/transparency-log/tree/tile.ts';
import { type FilledTile, TileEdge } from '../../../src/transparency-log/tree/tile-edge.ts';
import { tileNodes } from '../../../src/transparency-log/tree/tile-nodes.ts';
import { verifyInclusion } from '../../../src/verifier/log/verify-inclusion.ts';
import { sampleLeaves } from '../../support/sample-tree.ts';

class TileSet {
  readonly #tiles = new Map<string, Buffer>();

  keep(tiles: readonly FilledTile[]): void {
    for (const { tile, bytes } of tiles) this.#tiles.set(tilePath(tile), bytes);
  }

  get paths(): readonly string[] {
    return [...this.#tiles.keys()];
  }

  readonly read = async (tile: Tile): Promise<Buffer> => {
    const bytes = this.#tiles.get(tilePath(tile));
    if (bytes === undefined) throw new Error(`no ${tilePath(tile)}`);
    return bytes;
  };
}

test('a tree grows tile by tile from any interruption, with the correct roots', async (t) => {
  const leaves = sampleLeaves(66_200);
  const frontier = new Frontier();
  const tiles = new TileSet();
  const heads: { size: number; root: Buffer }[] = [];
  let edge = TileEdge.empty();
  for (const leaf of leaves) {
    frontier.append(leaf);
    tiles.keep(edge.append(leaf));
    const { size } = edge;
    if (size > 300 && size % 7_001 !== 0 && ![65_535, 65_536, 65_537, 66_200].includes(size))
      continue;
    tiles.keep(edge.partial());
    // Like a publisher restarted after a kill here.
    edge = await TileEdge.of(size, tiles.read);
    const root = edge.root();
    if (!root.equals(frontier.root())) t.fail(`another root at ${size}`);
    heads.push({ size, root });
  }
  t.equal(edge.size, 66_200);
  const full = tiles.paths.filter((path) => !path.includes('.p/'));
  t.equal(full.length, 258 + 1);
  t.ok(full.includes('tile/1/000') && full.includes('tile/0/257'));

  const newest = heads.at(-1) as (typeof heads)[number];
  const nodes = tileNodes(newest.size, tiles.read);
  for (const index of [0, 255, 256, 65_535, 65_536, 66_199]) {
    const proof = await proveInclusion(index, newest.size, nodes);
    t.ok(verifyInclusion({ leaf: leaves[index] as Buffer, index, ...newest, proof }), `${index}`);
  }
  for (const older of heads) {
    const proof = await proveConsistency(older.size, newest.size, nodes);
    if (!verifyConsistency({ older, newer: newest, proof })) t.fail(`from ${older.size}`);
  }
  await t.rejects(nodes([{ level: 0, index: 66_200 }]), RangeError);
});
