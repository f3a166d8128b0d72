import { epochOf, originOf, parseOrigin } from '../../domain/log/origin.ts';
import type { LogState } from '../../domain/log/state.ts';
import { type LogReading, loadLog, readLastRestored } from '../../loading/load-log.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint/checkpoint.ts';
import { NotAsWritten } from '../published/not-as-written.ts';
import { lastPublished } from '../published/published-checkpoints.ts';
import type { SubmittedMark } from '../published/submitted-mark.ts';
import { joinSubtrees } from '../tree/merkle-hash.ts';
import { splitTile, tileWidth, widthIn } from '../tree/tile.ts';
import { tileNodes } from '../tree/tile-nodes.ts';
import { subtreesOf } from '../tree/tree-node.ts';
import { compareBeyond, foreignMark, laterEpoch } from './compare-beyond.ts';
import type { ComparedLog } from './compared-log.ts';
import type { Verdicts } from './verdict.ts';

/**
 * Compares the log with its published checkpoint and its submission marks, neither of which is
 * restored with the database. Reads the last checkpoint, the few tiles at the edge of its tree, and
 * the marks and tiles beyond. From the database, reads the newest published leaves (256 at most)
 * and all leaves beyond.
 *
 * That is enough for rollback detection. A restored database lacks its newest events or has others
 * in their place. No two events have the same leaf, since each has an id of its own. The hashes of
 * older events come from the storage. Changes to older rows are not detected: audits do that.
 *
 * Rejects with `StorageUnavailable` or `StoreUnavailable` if one of the two does not answer.
 * Rejects with `NotAsWritten` if the storage holds a malformed file.
 */
export async function comparePublished(compared: ComparedLog): Promise<Verdicts['publishing']> {
  const { store, history, published } = compared;
  // Read these before the head: a running process may publish and submit more meanwhile. It removes
  // marks after it has published a checkpoint that covers them, so read the marks first.
  const marks = await published.readSubmitted();
  const note = await published.readCheckpoint();
  const last = note === null ? null : readNote(note);
  if (last === null) {
    const known = await lastPublished(history);
    // A running process lists its first checkpoint after storing it: look into the storage again.
    const isEmpty = known !== null && (await published.readCheckpoint()) === null;
    if (isEmpty && !(await beginsAnew(store, known.origin))) {
      return { status: 'storage-empty', origin: known.origin, size: known.size };
    }
    if (known !== null && !isEmpty) return comparePublished(compared);
  }
  const origin = last?.origin ?? marks[0]?.origin;
  if (origin === undefined && (await store.head()) === 0) return { status: 'agrees', last: null };
  const finding = await compareWith(compared, last, origin, marks);
  // Partial tiles are removed after a newer checkpoint is published: compare with that one then.
  const isNewest = finding.status === 'agrees' || (await published.readCheckpoint()) === note;
  return isNewest ? finding : comparePublished(compared);
}

async function compareWith(
  compared: ComparedLog,
  last: Checkpoint | null,
  origin: string | undefined,
  marks: readonly SubmittedMark[],
): Promise<Verdicts['publishing']> {
  const { store } = compared;
  const head = await store.head();
  // Checkpoints and marks with another form of origin were refused as malformed.
  const named = origin === undefined ? null : parseOrigin(origin);
  const state = head === 0 && named !== null ? null : await requireState(store);
  const logId = state?.logId ?? named?.logId ?? '';
  const name = state?.name ?? named?.name ?? '';
  const epoch = state?.epoch ?? 1;
  if (origin !== undefined && logId !== named?.logId) return { status: 'other-log', origin, logId };
  const foreign = foreignMark(marks, logId);
  if (foreign !== null) return { status: 'other-log', origin: foreign.origin, logId };
  const later = laterEpoch(marks, epoch);
  if (later !== null) return { status: 'older-epoch', last, origin: later.origin, epoch };
  const published = last === null ? 0 : epochOf(last.origin);
  const own = epoch > published ? null : last;
  if (own !== null && head < own.size) return { status: 'shorter', last: own, head };
  if (own !== null && epoch < published) {
    return { status: 'older-epoch', last: own, origin: own.origin, epoch };
  }
  const finding: Verdicts['publishing'] =
    own === null ? { status: 'agrees', last: null } : await compareLeaves(compared, own);
  if (finding.status !== 'agrees') return finding;
  const of = { origin: originOf({ name, epoch }), last: own };
  return (await compareBeyond(compared, of, marks)) ?? finding;
}

function readNote(note: string): Checkpoint {
  const last = readCheckpoint(note);
  if (last === null || parseOrigin(last.origin) === null) {
    const advice = 'put it back from a copy, or remove it if there is none, and start again';
    throw new NotAsWritten('the newest file of log/checkpoints', 'checkpoint', advice);
  }
  return last;
}

async function compareLeaves(
  { leaves, published }: ComparedLog,
  last: Checkpoint,
): Promise<Verdicts['publishing']> {
  const { origin, size, root } = last;
  if (size === 0) return { status: 'agrees', last };
  const damaged = { status: 'storage-damaged', last } as const;
  const tiles = await readEdge(published, last);
  if (tiles === null || !tiles.root.equals(root)) return damaged;
  const after = Math.floor((size - 1) / tileWidth) * tileWidth;
  const address = { level: 0, index: after / tileWidth };
  const bytes = await published.readTile(origin, { ...address, width: widthIn(size, address) });
  if (bytes === null) return damaged;
  const ours = await leaves.read(after, size - after);
  const differing = splitTile(bytes).findIndex((leaf, at) => !ours[at]?.equals(leaf));
  if (differing >= 0) return { status: 'forked', last, position: after + differing + 1 };
  return { status: 'agrees', last };
}

/** The root over the stored tiles; null if a tile is missing or too short. */
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

/** True if the log was restored because its published log was lost, and nothing was published since. */
async function beginsAnew(store: LogReading, lastOrigin: string): Promise<boolean> {
  const restored = await readLastRestored(store);
  if (restored === null) return false;
  return restored.data.published === null && restored.data.epoch > epochOf(lastOrigin);
}

async function requireState(store: LogReading): Promise<LogState> {
  const log = await loadLog(store);
  if (log === null) throw new Error('the log does not begin with LogOpened');
  return log.state;
}
