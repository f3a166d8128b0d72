import { type Checkpoint, readCheckpoint } from '../domain/log/checkpoint.ts';
import { joinSubtrees } from '../domain/log/merkle-hash.ts';
import { originOf, parseOrigin } from '../domain/log/origin.ts';
import { splitTile, tileWidth, widthIn } from '../domain/log/tile.ts';
import { tileNodes } from '../domain/log/tile-nodes.ts';
import { subtreesOf } from '../domain/log/tree-node.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Leaves } from '../event-store/leaves.ts';
import { type CheckpointHistory, lastPublished } from '../event-store/published-checkpoints.ts';
import type { LogStorage } from '../storage/contract.ts';
import { type LogReading, loadLog } from './load-log.ts';

/** What is compared: the database, and what was published of the log under STORAGE_URL. */
export interface ComparedLog {
  readonly store: Pick<EventStore, 'head'> & LogReading;
  readonly leaves: Pick<Leaves, 'read'>;
  readonly history: CheckpointHistory;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
}

/** The log agrees with what was published of it, or how it does not. `head` is the database's. */
export type LogFinding =
  | {
      readonly status: 'agrees';
      /** The last checkpoint of the epoch that the log is in; null if there is none yet. */
      readonly last: Checkpoint | null;
    }
  /** It lacks events that were published: an older copy of the database, or an empty one. */
  | { readonly status: 'shorter'; readonly last: Checkpoint; readonly head: number }
  /** It went on from an older copy: the event at this position is another one. */
  | { readonly status: 'forked'; readonly last: Checkpoint; readonly position: number }
  /** It has not seen the epoch that was published last. */
  | { readonly status: 'older-epoch'; readonly last: Checkpoint; readonly epoch: number }
  /** The storage is that of another log than this database. */
  | { readonly status: 'other-log'; readonly last: Checkpoint; readonly logId: string }
  /** The storage holds no checkpoint, though the database knows that this one was published. */
  | { readonly status: 'storage-empty'; readonly origin: string; readonly size: number }
  /** What was published of the log cannot be read any more, or does not belong together. */
  | { readonly status: 'storage-damaged'; readonly last: Checkpoint };

/**
 * Compares the log with the last checkpoint that was published of it, which does not go back with the
 * database. It reads the checkpoint, the tiles at the edge of its tree, a few for a log of any length,
 * and of the database its newest published leaves (256 at most).
 *
 * That is enough to know a database that went back: it lacks its newest events, or has others in their
 * place, and no two events have one leaf, since each names an id of its own. The hashes of all that
 * is older come from the storage. Whether older rows were changed is not looked at: that is an
 * audit's work.
 *
 * Rejects with `StorageUnavailable` or `StoreUnavailable` where one of the two cannot be asked.
 */
export async function compareLog(compared: ComparedLog): Promise<LogFinding> {
  const { store, history, published } = compared;
  // Before the head is read: a running process may publish more meanwhile.
  const note = await published.readCheckpoint();
  if (note === null) {
    const known = await lastPublished(history);
    if (known === null) return { status: 'agrees', last: null };
    return { status: 'storage-empty', origin: known.origin, size: known.size };
  }
  const last = readCheckpoint(note);
  const named = last === null ? null : parseOrigin(last.origin);
  if (last === null || named === null) {
    throw new Error('the checkpoint under STORAGE_URL is not what this service writes');
  }
  const head = await store.head();
  const logId = head === 0 ? named.logId : await logIdOf(store);
  if (logId !== named.logId) return { status: 'other-log', last, logId };
  const epoch = await epochOf(store);
  if (epoch > named.epoch) return { status: 'agrees', last: null };
  if (head < last.size) return { status: 'shorter', last, head };
  if (epoch < named.epoch) return { status: 'older-epoch', last, epoch };
  const finding = await compareLeaves(compared, last);
  // Partial tiles go when a newer checkpoint has come, which is then compared with.
  const isNewest = finding.status === 'agrees' || (await published.readCheckpoint()) === note;
  return isNewest ? finding : compareLog(compared);
}

/** The origin under which a log that has begun publishes now. */
export async function currentOrigin(store: LogReading): Promise<string> {
  return originOf(await logIdOf(store), await epochOf(store));
}

async function compareLeaves(
  { leaves, published }: ComparedLog,
  last: Checkpoint,
): Promise<LogFinding> {
  const { origin, size, root } = last;
  if (size === 0) return { status: 'agrees', last };
  const damaged = { status: 'storage-damaged', last } as const;
  const tiles = await readEdge(published, last);
  if (tiles === null || !tiles.root.equals(root)) return damaged;
  const after = Math.floor((size - 1) / tileWidth) * tileWidth;
  const place = { level: 0, index: after / tileWidth };
  const bytes = await published.readTile(origin, { ...place, width: widthIn(size, place) });
  if (bytes === null) return damaged;
  const ours = await leaves.read(after, size - after);
  const differing = splitTile(bytes).findIndex((leaf, at) => !ours[at]?.equals(leaf));
  if (differing >= 0) return { status: 'forked', last, position: after + differing + 1 };
  return { status: 'agrees', last };
}

/** The root that the stored tiles give; null where one is missing or cut short. */
async function readEdge(
  published: ComparedLog['published'],
  { origin, size }: Checkpoint,
): Promise<{ readonly root: Buffer } | null> {
  let isMissing = false;
  const read = tileNodes(size, async (tile) => {
    const bytes = await published.readTile(origin, tile);
    isMissing ||= bytes?.length !== tile.width * 32;
    return bytes ?? Buffer.alloc(tile.width * 32);
  });
  const hashes = await read(subtreesOf({ start: 0, end: size })).catch((error: unknown) => {
    if (error instanceof RangeError) return null;
    throw error;
  });
  return hashes === null || isMissing ? null : { root: joinSubtrees(hashes) };
}

async function logIdOf(store: Pick<EventStore, 'readLog'>): Promise<string> {
  const [first] = await store.readLog(0, 1);
  if (first?.type === 'LogOpened') return first.data.logId;
  throw new Error(`the log begins with ${first?.type ?? 'nothing'}, not with LogOpened`);
}

async function epochOf(store: LogReading): Promise<number> {
  return (await loadLog(store))?.state.epoch ?? 1;
}
