import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import type { ComparedLog } from '../guard/compared-log.ts';
import type { Verdicts } from '../guard/verdict.ts';
import { loadLog } from '../load-log.ts';
import { lastPublished } from '../publish/published-checkpoints.ts';
import { splitTile, type Tile, tileWidth, widthIn } from '../tree/tile.ts';

/**
 * The largest size at which the log is known to be what was published, or anchored, of it; at least 1,
 * the event that names it. Events beyond it were never seen by anybody, or took the place of others. A
 * copy that went on by itself has other events from some position on, each with an id of its own, so
 * the last one in common is found by halving: some thirty tiles for a log of any length.
 */
export async function agreedSize(
  compared: ComparedLog,
  finding: Verdicts['publishing'],
): Promise<number> {
  const { store, history } = compared;
  const head = await store.head();
  const anchored = (await loadLog(store))?.state.anchored?.size ?? 0;
  const row = (await lastPublished(history))?.size ?? 0;
  const known = [1, anchored, row, await agreedWithTiles(compared, finding, head)];
  return Math.min(head, Math.max(...known));
}

async function agreedWithTiles(
  compared: ComparedLog,
  finding: Verdicts['publishing'],
  head: number,
): Promise<number> {
  switch (finding.status) {
    case 'agrees':
      return finding.last?.size ?? 0;
    case 'behind':
      return finding.agreesTo;
    case 'shorter':
    case 'forked':
    case 'older-epoch':
      return finding.last === null ? 0 : inCommon(compared, finding.last, head);
    case 'storage-empty':
    case 'storage-damaged':
    case 'other-log':
      return 0;
  }
}

/** How many events the log has in common with what was published; 0 where a tile is missing. */
async function inCommon(
  { leaves, published }: ComparedLog,
  { origin, size }: Checkpoint,
  head: number,
): Promise<number> {
  const isCommon = async (position: number): Promise<boolean | null> => {
    const place = { level: 0, index: Math.floor((position - 1) / tileWidth) };
    const tile: Tile = { ...place, width: widthIn(size, place) };
    const bytes = await published.readTile(origin, tile);
    const theirs = bytes && splitTile(bytes)[(position - 1) % tileWidth];
    const [ours] = await leaves.read(position - 1, 1);
    return theirs ? theirs.equals(ours ?? Buffer.alloc(0)) : null;
  };
  let [known, most] = [0, Math.min(head, size)];
  while (known < most) {
    const middle = Math.ceil((known + most) / 2);
    const found = await isCommon(middle);
    if (found === null) return known;
    if (found) known = middle;
    else most = middle - 1;
  }
  return known;
}
