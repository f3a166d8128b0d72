import { hashBytes } from '../../../src/transparency-log/tree/merkle-hash.ts';
import { type FoundRow, isDamaged } from '../rows/found-row.ts';
import type { AlteredColumn } from './altered-column.ts';
import type { RowFault } from './row-fault.ts';

/** The leaf that was recomputed from a row, compared with those on record. */
export interface ComparedLeaves {
  readonly recomputed: Buffer;
  /** Null if the stored leaf does not have the length of a hash. */
  readonly stored: Buffer | null;
  readonly published: Buffer | null;
  /** The published leaf if it is another one. */
  readonly otherPublished: Buffer | null;
  /** The leaf that the row should have: the published one, else the stored one. */
  readonly right: Buffer | null;
  /** True if the stored leaf is the recomputed one, or is too damaged to be compared. */
  readonly fitsStored: boolean;
  /** True if a leaf on record is another one. */
  readonly isUnlike: boolean;
  /** True if the published leaf confirms the event, so that the stored leaf alone was changed. */
  readonly isLeafAlone: boolean;
}

export function compareLeaves(
  row: FoundRow,
  recomputed: Buffer,
  published: Buffer | null,
): ComparedLeaves {
  const stored = row.leaf.length === hashBytes ? row.leaf : null;
  const otherPublished = published === null || published.equals(recomputed) ? null : published;
  const fitsStored = isDamaged(row, 'leaf') || recomputed.equals(row.leaf);
  return {
    ...{ recomputed, stored, published, otherPublished, fitsStored },
    right: published ?? stored,
    isUnlike: !fitsStored || otherPublished !== null,
    isLeafAlone: !fitsStored && published !== null && otherPublished === null,
  };
}

const unlikeStored = 'the stored leaf does not match the event: one of them was changed';
const unlikePublished =
  'the event does not match the leaf published for its position: one of them was changed';

/** The sentence that says how the event differs from its leaf; null if it does not. */
export function sentenceOn({ isUnlike, fitsStored }: ComparedLeaves): string | null {
  if (!isUnlike) return null;
  return fitsStored ? unlikePublished : unlikeStored;
}

/**
 * The fault of a row's other columns, with that of its leaf.
 * @param of.fault reason why the value of the leaf is impossible; absent if it is possible
 * @param of.columns other columns with impossible values
 */
export function withLeaf(
  row: RowFault,
  leaves: ComparedLeaves,
  of: {
    readonly fault: string | undefined;
    readonly altered: AlteredColumn | null;
    readonly columns: ReadonlyMap<string, string>;
  },
): Pick<RowFault, 'column' | 'what'> {
  const { fault, columns } = of;
  if (leaves.isLeafAlone) return { column: 'leaf', what: fault ?? unlikeStored };
  const isMore = leaves.isUnlike || columns.size > 0;
  const column = isLeafWrong(leaves, of) ? joined('leaf', isMore ? row.column : '') : row.column;
  if (fault === undefined) return { column, what: row.what };
  return { column, what: isMore ? `leaf: ${fault}; ${row.what}` : fault };
}

/** True if the leaf is wrong besides other columns, or may be the only wrong column. */
function isLeafWrong(
  { stored, published, otherPublished, fitsStored }: ComparedLeaves,
  { fault, altered, columns }: Parameters<typeof withLeaf>[2],
): boolean {
  if (otherPublished !== null) {
    return !fitsStored && stored !== null && !otherPublished.equals(stored);
  }
  if (fault !== undefined) return true;
  return !fitsStored && published === null && altered === null && columns.size === 0;
}

function joined(...columns: readonly string[]): string {
  return columns.filter((column) => column !== '').join();
}
