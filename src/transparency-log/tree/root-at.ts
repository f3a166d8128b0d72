import { Frontier } from './frontier.ts';

/** Leaf hashes of the log, 32 bytes each, in log order. */
interface LeafReader {
  /** Returns up to `limit` leaf hashes after the first `after`; fewer at the end of the log. */
  read(after: number, limit: number): Promise<readonly Buffer[]>;
}

const pageSize = 10_000;

/**
 * Grows a tree that holds the first leaves of the log to `size`. Resolves with its root (32 bytes),
 * or null if the log is shorter. A few million leaves take seconds.
 */
export async function rootAt(
  leaves: LeafReader,
  size: number,
  frontier: Frontier = new Frontier(),
): Promise<Buffer | null> {
  while (frontier.size < size) {
    const page = await leaves.read(frontier.size, Math.min(size - frontier.size, pageSize));
    if (page.length === 0) return null;
    for (const leaf of page) frontier.append(leaf);
  }
  if (frontier.size > size)
    throw new RangeError(`a tree of ${frontier.size} has no ${size} leaves`);
  return frontier.root();
}
