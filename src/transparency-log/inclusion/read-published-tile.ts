import { Unavailable } from '../../errors/unavailable.ts';
import type { LogStorage } from '../published/contract.ts';
import type { PublishedCheckpoint } from '../published/published-checkpoints.ts';
import { type Tile, widthIn } from '../tree/tile.ts';

/**
 * The hashes of a tile in the published tree; null if the tree does not reach that far. The tree
 * may have grown since an earlier checkpoint: its partial tile is then cut from the wider one.
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
    // A partial tile is removed after a newer checkpoint is published.
    if (checkpoint.size === missed) throw new LogUnreadable(`level ${level}, index ${index}`);
    missed = checkpoint.size;
  }
}

/** A published tile is missing from the storage. */
class LogUnreadable extends Unavailable {
  constructor(tile: string) {
    super(
      'SERVICE_UNAVAILABLE',
      'the service cannot read the tree of its log; try again shortly',
      `a published tile is missing: ${tile}`,
    );
  }
}
