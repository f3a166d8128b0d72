import type { Leaves } from '../event-store/leaves.ts';
import { Frontier } from '../transparency-log/tree/frontier.ts';

const pageSize = 10_000;

/**
 * Grows a tree that holds the first leaves of the log to `size`, reading the rest of them, and
 * resolves with its root (32 bytes); null where the log is shorter. Some million leaves take seconds.
 */
export async function rootAt(
  leaves: Pick<Leaves, 'read'>,
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
