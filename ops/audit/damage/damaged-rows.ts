import { hashBytes } from '../../../src/transparency-log/tree/merkle-hash.ts';
import type { Cause } from '../findings/causes.ts';
import type { Findings } from '../findings/findings.ts';
import { type FoundRow, isDamaged } from '../rows/found-row.ts';
import type { StreamAudit } from '../streams/stream-audit.ts';
import type { AuditedTree } from '../tree/audited-tree.ts';
import { type AlteredColumn, findAlteredColumn } from './altered-column.ts';
import type { DisputedLeaves, MovedRow } from './disputed-leaves.ts';
import { possibleColumns, type RowFault, repaired, rowFault, SeenMetas } from './row-fault.ts';

interface Damageable {
  readonly findings: Findings;
  readonly tree: AuditedTree;
  readonly streams: StreamAudit;
  readonly disputes: DisputedLeaves;
}

/** Guesses at altered columns in a whole audit, and for one row; they take some seconds. */
const mostTries = 2_000_000;
const mostTriesOfRow = 300_000;

/** Reports one fault for each damaged row, and adds the leaves that it may have had to the tree. */
export class DamagedRows {
  readonly #findings: Findings;
  readonly #tree: AuditedTree;
  readonly #streams: StreamAudit;
  readonly #disputes: DisputedLeaves;
  readonly #metas = new SeenMetas();
  #first: Cause | null = null;
  #triesLeft = mostTries;

  constructor({ findings, tree, streams, disputes }: Damageable) {
    this.#findings = findings;
    this.#tree = tree;
    this.#streams = streams;
    this.#disputes = disputes;
  }

  /** The first damage, which roots follow from; null if all is sound. */
  get first(): Cause | null {
    return this.#first;
  }

  /** Notes damage that was found elsewhere. */
  note(cause: Cause): void {
    this.#first ??= cause;
  }

  /** Learns from a sound row, to compare damaged ones with. */
  learn({ meta }: FoundRow): void {
    this.#metas.add(meta);
  }

  /**
   * Adds a row that differs from a leaf, or has impossible values.
   * @param leaf the recomputed leaf
   * @param wrong columns with impossible values, each with the reason
   */
  add(
    row: FoundRow,
    leaf: Buffer,
    published: Buffer | null,
    {
      wrong,
      previous,
    }: {
      readonly wrong: ReadonlyMap<string, string>;
      readonly previous: FoundRow | null;
    },
  ): void {
    const { position } = row;
    const isOwn = isDamaged(row, 'leaf') || leaf.equals(row.leaf);
    const isOther = published !== null && !published.equals(leaf);
    const moved =
      isOwn && isOther && published !== null
        ? this.#disputes.findMoved(position, leaf, published)
        : null;
    if (moved !== null && published !== null) {
      const { cause } = moved;
      this.#disputes.remember(position, leaf, published, cause);
      this.#disputes.add({ position, with: 'published', cause, column: 'position' });
      this.#tree.appendDisputed(leaf, published);
      this.#addMoved(row, moved);
      return;
    }
    const stored = row.leaf.length === hashBytes ? row.leaf : null;
    const right = published ?? stored;
    const isLeaf = !isOwn && published !== null && !isOther;
    const differs = !isOwn || isOther;
    const altered =
      differs && !isLeaf && right !== null ? this.#findAltered(row, right, previous) : null;
    const isInTurn = this.#streams.addDamaged(repaired(row, altered));
    const columns = new Map(wrong);
    columns.delete('leaf');
    const possible = possibleColumns(row, {
      isVersionInTurn: isInTurn,
      isMetaKnown: this.#metas.has(row.meta),
    });
    const sentence = differs ? (isOwn ? unlikePublished : unlikeStored) : null;
    const fault = rowFault({ wrong: columns, altered, sentence, possible });
    const isLeafToo = !isOwn && isOther && stored !== null && !published.equals(stored);
    const mayBeLeaf = !isOwn && published === null && altered === null && columns.size === 0;
    const leafFault = wrong.get('leaf');
    const column = isLeaf
      ? 'leaf'
      : isLeafToo || mayBeLeaf || (leafFault !== undefined && !isOther)
        ? joined('leaf', columns.size === 0 && !differs ? '' : fault.column)
        : fault.column;
    const what =
      leafFault === undefined
        ? fault.what
        : withLeaf(leafFault, fault, differs || columns.size > 0);
    const cause = this.#findings.reportCause(
      { in: 'events', position, column, what: isLeaf ? (leafFault ?? unlikeStored) : what },
      {
        streams: isLeaf ? [] : [row.stream, repaired(row, altered).stream],
        owner: row.organisation_id,
        data: isLeaf ? '{}' : row.data,
      },
      fault.column.split(',').includes('type') ? null : [row.type],
    );
    this.note(cause);
    if (!isInTurn) this.#streams.lose(cause);
    if (!differs) {
      this.#tree.append(leaf);
      return;
    }
    if (isOther && published !== null) {
      this.#disputes.remember(position, leaf, published, cause);
    }
    if (isOwn && isOther && published !== null) {
      this.#disputes.add({ position, with: 'published', cause, column: fault.column });
      this.#tree.appendDisputed(leaf, published);
    } else if (published === null && stored !== null && altered === null) {
      this.#disputes.add({ position, with: 'stored', cause, column: fault.column });
      this.#tree.appendDisputed(leaf, stored);
    } else this.#tree.appendAltered(leaf, isLeaf ? leaf : right);
  }

  /** Rows that were moved together still have the versions of their streams in turn. */
  #addMoved(row: FoundRow, { cause, by, isFirst }: MovedRow): void {
    if (by === null) {
      if (!this.#streams.addDamaged(row)) this.#streams.lose(cause);
      this.#findings.nameStream(cause, row.stream);
      return;
    }
    if (isFirst && by < 0) {
      this.#streams.lose(cause, -by);
      this.#findings.leaveUnnamed(cause);
    }
    this.#streams.add(row);
  }

  /** The altered column and its original value, as proven by the leaf. */
  #findAltered(row: FoundRow, leaf: Buffer, previous: FoundRow | null): AlteredColumn | null {
    const tries = Math.min(this.#triesLeft, mostTriesOfRow);
    const { altered, tried } = findAlteredColumn(row, leaf, previous, tries);
    this.#triesLeft -= tried;
    return altered;
  }
}

const unlikeStored = 'the stored leaf does not match the event: one of them was changed';
const unlikePublished =
  'the event does not match the leaf published for its position: one of them was changed';

function joined(...columns: readonly string[]): string {
  return columns.filter((column) => column !== '').join();
}

function withLeaf(leafFault: string, { what }: RowFault, isMore: boolean): string {
  return isMore ? `leaf: ${leafFault}; ${what}` : leafFault;
}
