import { blockRows, type CopiedPage } from '../rows/copied-row.ts';
import type { TileAudit } from '../tree/tile-audit.ts';

/** Everything with which rows are compared one by one. */
interface Comparisons {
  /** Null if nothing is published. */
  readonly tiles: Pick<TileAudit, 'size' | 'comparedThrough'> | null;
  /** Size of the next listed checkpoint; null after the last one. */
  readonly nextSize: number | null;
  /** Sizes at which the root is kept. */
  readonly sizes: ReadonlySet<number>;
}

/**
 * Number of rows from the one at `index` of a page that need no comparison but that with earlier
 * events: a whole block, one row, or 0.
 */
export function plainRows(page: CopiedPage, index: number, comparisons: Comparisons): number {
  const isStart = page.blocks.length > 0 && index % blockRows === 0;
  if (isStart && isPlain(page, index, blockRows, comparisons)) return blockRows;
  return isPlain(page, index, 1, comparisons) ? 1 : 0;
}

/** True if these rows are sound, and no published tile or checkpoint must be compared at them. */
function isPlain(
  { positions, sound }: CopiedPage,
  index: number,
  count: number,
  { tiles, nextSize, sizes }: Comparisons,
): boolean {
  const first = positions[index] as number;
  const last = first + count - 1;
  if (first === 1 || positions[index + count - 1] !== last) return false;
  if (tiles !== null && last > tiles.comparedThrough && first <= tiles.size) return false;
  if (tiles !== null && first <= tiles.size && last >= tiles.size) return false;
  if (nextSize !== null && nextSize <= last) return false;
  for (let n = 0; n < count; n += 1) {
    if (sound[index + n] === 0 || sizes.has(first + n)) return false;
    if (positions[index + n] !== first + n) return false;
  }
  return true;
}
