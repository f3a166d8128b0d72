import type { LogStorage } from '../publish/contract.ts';
import type { PublishedCheckpoint } from '../publish/published-checkpoints.ts';
import { type Tile, widthIn } from '../tree/tile.ts';
import { LogUnreadable } from './log-unreadable.ts';

/**
 * The hashes of a tile as the published tree has it; null where that has not come so far. A tile that
 * was partial under an earlier checkpoint is cut out of the wider one that it has become.
 */
export async function readPublishedTile(
  published: Pick<LogStorage, 'readTile'>,
  last: () => Promise<Pick<PublishedCheckpoint, 'origin' | 'size'> | null>,
  { level, index, width }: Tile,
): Promise<Buffer | null> {
  let missed = -1;
  for (;;) {
    const checkpoint = await last();
    if (checkpoint === null) return null;
    const present = widthIn(checkpoint.size, { level, index });
    if (present < width) return null;
    const bytes = await published.readTile(checkpoint.origin, { level, index, width: present });
    if (bytes !== null) return bytes.subarray(0, width * 32);
    // A partial tile goes when a newer checkpoint has come.
    if (checkpoint.size === missed) throw new LogUnreadable(`level ${level}, index ${index}`);
    missed = checkpoint.size;
  }
}
