import { foldSubtree } from '../../../src/transparency-log/tree/merkle-hash.ts';
import { tileWidth } from '../../../src/transparency-log/tree/tile.ts';
import { blockRows, bufferOf, type CopiedPage, leafBytes } from '../rows/copied-row.ts';
import type { TileAudit } from '../tree/tile-audit.ts';

/** Compares the full tiles that a page covers, so that its rows need no comparison with them. */
export async function takePageTiles(
  tiles: Pick<TileAudit, 'takeTile'>,
  { positions, leaves, sound, blocks }: CopiedPage,
): Promise<void> {
  const first = positions[0] ?? 0;
  if (blocks.length === 0 || (first - 1) % tileWidth !== 0) return;
  for (let from = 0; from + tileWidth <= positions.length; from += tileWidth) {
    if (sound.subarray(from, from + tileWidth).includes(0)) return;
    // A position may be there twice, and the next one missing.
    const covered = positions.subarray(from, from + tileWidth);
    if (covered.some((position, n) => position !== first + from + n)) return;
    const root = () => rootOfBlocks(blocks, from / blockRows, tileWidth / blockRows);
    const bytes = bufferOf(leaves).subarray(leafBytes * from, leafBytes * (from + tileWidth));
    if (!(await tiles.takeTile(first + from, bytes, root))) return;
  }
}

function rootOfBlocks(blocks: Uint8Array, first: number, count: number): Buffer {
  const hashes = Buffer.from(blocks.subarray(leafBytes * first, leafBytes * (first + count)));
  return Buffer.from(foldSubtree(hashes));
}
