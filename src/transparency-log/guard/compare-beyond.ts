import { epochOf, parseOrigin } from '../../domain/log/origin.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import type { LogStorage } from '../published/contract.ts';
import type { SubmittedMark } from '../published/submitted-mark.ts';
import { tilesAtOnce } from '../published/tiles-at-once.ts';
import { splitTile, tileWidth } from '../tree/tile.ts';
import type { ComparedLog } from './compared-log.ts';
import type { Behind } from './verdict.ts';

/**
 * Compares the log with its traces beyond the last published checkpoint: the submission marks,
 * which were read earlier, and full tiles that no checkpoint covers. Null if the log has all of
 * their events.
 */
export async function compareBeyond(
  { store, leaves, published }: ComparedLog,
  log: { readonly origin: string; readonly last: Checkpoint | null },
  marks: readonly SubmittedMark[],
): Promise<Behind | null> {
  const { origin, last } = log;
  const size = last?.size ?? 0;
  let agreesTo = size;
  const behind = async (by: Behind['by'], position: number, differsAt: number | null) => {
    const head = await store.head();
    return { status: 'behind', last, origin, by, position, differsAt, head, agreesTo } as const;
  };
  // Check the marks below the checkpoint too: a copy that went on may have published it.
  const own = marks.filter((mark) => mark.origin === origin);
  let missed = null as Missed | null;
  for (const { position, leaf } of own.toSorted((a, b) => a.position - b.position)) {
    const [ours] = await leaves.read(position - 1, 1);
    if (ours?.toString('hex') === leaf) agreesTo = Math.max(agreesTo, position);
    else missed = { position, at: missed?.at ?? (ours === undefined ? null : position) };
  }
  let differing = null as Missed | null;
  for await (const { after, bytes } of looseTiles(published, origin, size)) {
    const ours = await leaves.read(after, tileWidth);
    const theirs = splitTile(bytes);
    const found = theirs.findIndex((leaf, at) => !ours[at]?.equals(leaf));
    const same = found < 0 ? tileWidth : found;
    if (same > 0) agreesTo = Math.max(agreesTo, after + same);
    if (found < 0) continue;
    const at = found < ours.length ? after + found + 1 : null;
    differing = { position: after + tileWidth, at: differing?.at ?? at };
  }
  if (differing !== null && differing.position >= (missed?.position ?? 0)) {
    return behind('tile', differing.position, differing.at);
  }
  return missed === null ? null : behind('submitted', missed.position, missed.at);
}

/**
 * The newest event of one kind of trace that the log lacks, and the first position where it holds
 * another event.
 */
interface Missed {
  readonly position: number;
  readonly at: number | null;
}

/** The first mark of another log, which must not share a storage with this one; null if none. */
export function foreignMark(marks: readonly SubmittedMark[], logId: string): SubmittedMark | null {
  return marks.find(({ origin }) => parseOrigin(origin)?.logId !== logId) ?? null;
}

/** The first mark of a later epoch than this one; null if there is none. */
export function laterEpoch(marks: readonly SubmittedMark[], epoch: number): SubmittedMark | null {
  return marks.find(({ origin }) => epochOf(origin) > epoch) ?? null;
}

/**
 * The full tiles of leaves beyond a size. A publisher wrote them, but ended before publishing their
 * checkpoint.
 */
async function* looseTiles(
  published: Pick<LogStorage, 'readTile'>,
  origin: string,
  size: number,
): AsyncGenerator<{ readonly after: number; readonly bytes: Buffer }> {
  for (let first = Math.floor(size / tileWidth); ; first += tilesAtOnce) {
    const some = await Promise.all(
      Array.from({ length: tilesAtOnce }, async (_, offset) => {
        const index = first + offset;
        const bytes = await published.readTile(origin, { level: 0, index, width: tileWidth });
        return bytes === null ? [] : [{ after: index * tileWidth, bytes }];
      }),
    );
    yield* some.flat();
    if (some.flat().length === 0) return;
  }
}
