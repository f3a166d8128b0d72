import type { Checkpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import { rootWithin } from '../../src/transparency-log/tree/consistency-proof.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import { type Tile, tilePath } from '../../src/transparency-log/tree/tile.ts';
import { tileNodes } from '../../src/transparency-log/tree/tile-nodes.ts';
import { errorMessage } from '../terminal/error-message.ts';

/** A log as its server publishes it. */
export type PublishedLog = Pick<LogStorage, 'readCheckpoint' | 'readTile'>;

/** Result of comparing a tree with an earlier one: an error says why they could not be compared. */
type Compared = 'consistent' | 'different' | { readonly unread: string };

/** Compares two trees, by tiles that lead to the root of the newer one. */
export async function isContinued(
  log: Pick<PublishedLog, 'readTile'>,
  older: Pick<Checkpoint, 'size' | 'root'>,
  newer: Checkpoint,
): Promise<Compared> {
  if (older.size === newer.size) return older.root.equals(newer.root) ? 'consistent' : 'different';
  try {
    const nodes = tileNodes(newer.size, (tile) => readTile(log, newer.origin, tile));
    const root = older.size === 0 ? older.root : await rootWithin(older.size, newer, nodes);
    // Damaged tiles prove nothing against the log.
    if (root === null) return { unread: 'its tiles do not lead to its root' };
    return root.equals(older.root) ? 'consistent' : 'different';
  } catch (error) {
    return { unread: errorMessage(error) };
  }
}

/** Most tiles that are remembered. */
const mostTiles = 1_000;

/** The log, with tiles that are read only once. */
export function rememberTiles(log: Pick<PublishedLog, 'readTile'>): Pick<PublishedLog, 'readTile'> {
  const tiles = new Map<string, Buffer>();
  return {
    async readTile(origin, tile) {
      const key = `${origin} ${tilePath(tile)}`;
      const known = tiles.get(key);
      if (known !== undefined) return known;
      const bytes = await log.readTile(origin, tile);
      if (bytes !== null && tiles.size < mostTiles) tiles.set(key, bytes);
      return bytes;
    },
  };
}

async function readTile(
  log: Pick<PublishedLog, 'readTile'>,
  origin: string,
  tile: Tile,
): Promise<Buffer> {
  const bytes = await log.readTile(origin, tile);
  if (bytes?.length === tile.width * hashBytes) return bytes;
  throw new Error(`level ${tile.level} of its tree lacks tile ${tile.index}`);
}
