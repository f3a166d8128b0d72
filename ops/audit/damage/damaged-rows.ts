import type { Cause } from '../findings/causes.ts';
import type { Findings } from '../findings/findings.ts';
import type { FoundRow } from '../rows/found-row.ts';
import type { StreamAudit } from '../streams/stream-audit.ts';
import type { AuditedTree } from '../tree/audited-tree.ts';
import { type AlteredColumn, findAlteredColumn } from './altered-column.ts';
import { type ComparedLeaves, compareLeaves, sentenceOn, withLeaf } from './compared-leaves.ts';
import type { DisputedLeaves, MovedRow } from './disputed-leaves.ts';
import { possibleColumns, repaired, rowFault, SeenMetas } from './row-fault.ts';

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
    const leaves = compareLeaves(row, leaf, published);
    if (this.#addIfMoved(row, leaves)) return;
    const { right } = leaves;
    const mayBeAltered = leaves.isUnlike && !leaves.isLeafAlone && right !== null;
    const altered = mayBeAltered ? this.#findAltered(row, right, previous) : null;
    const isInTurn = this.#streams.addDamaged(repaired(row, altered));
    const columns = new Map(wrong);
    columns.delete('leaf');
    const possible = possibleColumns(row, {
      isVersionInTurn: isInTurn,
      isMetaKnown: this.#metas.has(row.meta),
    });
    const fault = rowFault({ wrong: columns, altered, sentence: sentenceOn(leaves), possible });
    const cause = this.#findings.reportCause(
      {
        in: 'events',
        position: row.position,
        ...withLeaf(fault, leaves, { fault: wrong.get('leaf'), altered, columns }),
      },
      {
        streams: leaves.isLeafAlone ? [] : [row.stream, repaired(row, altered).stream],
        owners: [row.organisation_id, altered?.column === 'organisation_id' ? altered.was : null],
        data: leaves.isLeafAlone ? '{}' : row.data,
      },
      fault.column.split(',').includes('type') ? null : [row.type],
    );
    this.note(cause);
    if (!isInTurn) this.#streams.lose(cause);
    this.#append(row, leaves, { cause, column: fault.column, altered });
  }

  /** Adds a row whose leaf was published for another position; returns false for any other row. */
  #addIfMoved(row: FoundRow, leaves: ComparedLeaves): boolean {
    const { recomputed, otherPublished: other } = leaves;
    if (!leaves.fitsStored || other === null) return false;
    const { position } = row;
    const moved = this.#disputes.findMoved(position, recomputed, other);
    if (moved === null) return false;
    const { cause } = moved;
    this.#disputes.remember(position, recomputed, other, cause);
    this.#disputes.add({ position, with: 'published', cause, column: 'position' });
    this.#tree.appendDisputed(recomputed, other);
    this.#addMoved(row, moved);
    return true;
  }

  /** Adds the leaves that the row may have had to the tree. */
  #append(
    { position }: FoundRow,
    leaves: ComparedLeaves,
    fault: {
      readonly cause: Cause;
      readonly column: string;
      readonly altered: AlteredColumn | null;
    },
  ): void {
    const { recomputed, stored, published, otherPublished: other } = leaves;
    const { cause, column, altered } = fault;
    if (!leaves.isUnlike) {
      this.#tree.append(recomputed);
      return;
    }
    if (other !== null) this.#disputes.remember(position, recomputed, other, cause);
    if (other !== null && leaves.fitsStored) {
      this.#disputes.add({ position, with: 'published', cause, column });
      this.#tree.appendDisputed(recomputed, other);
    } else if (published === null && stored !== null && altered === null) {
      this.#disputes.add({ position, with: 'stored', cause, column });
      this.#tree.appendDisputed(recomputed, stored);
    } else {
      this.#tree.appendAltered(recomputed, leaves.isLeafAlone ? recomputed : leaves.right);
    }
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
