import { loadLog } from '../../loading/load-log.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import type { Traces, Verdict } from '../guard/check.ts';
import { lastPublished } from '../published/published-checkpoints.ts';
import { splitTile, type Tile, tileWidth, widthIn } from '../tree/tile.ts';

/**
 * The largest size at which the log is known to equal its published or anchored checkpoints; at
 * least 1, the event that names the log. Later events were never seen outside, or took the place of
 * others.
 *
 * A copy that went on separately has different events from some position on, since each event has
 * an id of its own. A binary search therefore finds the last common event: some thirty tiles for a
 * log of any length.
 */
export async function agreedSize(
  compared: Traces['publishing'],
  finding: Verdict<'publishing'>,
): Promise<number> {
  const { store, history } = compared;
  const head = await store.head();
  const anchored = (await loadLog(store))?.state.anchored?.size ?? 0;
  const row = (await lastPublished(history))?.size ?? 0;
  const known = [1, anchored, row, await agreedWithTiles(compared, finding, head)];
  return Math.min(head, Math.max(...known));
}

async function agreedWithTiles(
  compared: Traces['publishing'],
  finding: Verdict<'publishing'>,
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

/** Number of events in common with the published log; a lower bound if a tile is missing. */
async function inCommon(
  { leaves, published }: Traces['publishing'],
  { origin, size }: Checkpoint,
  head: number,
): Promise<number> {
  const isCommon = async (position: number): Promise<boolean | null> => {
    const address = { level: 0, index: Math.floor((position - 1) / tileWidth) };
    const tile: Tile = { ...address, width: widthIn(size, address) };
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
