import { tilePath, tileWidth, widthIn } from '../../../src/transparency-log/tree/tile.ts';
import { BoundedMap } from '../bounded/bounded-map.ts';
import type { Cause } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';

/** A row that differs from the leaf beside it, or from the published one of its position. */
interface Disputed {
  readonly position: number;
  /** `published`: the row agrees with its stored leaf. `stored`: nothing is published for it. */
  readonly with: 'published' | 'stored';
  readonly cause: Cause;
  /** Column of the row, if the row is wrong. */
  readonly column: string;
}

/** A row whose leaf belongs to another position. */
export interface MovedRow {
  readonly cause: Cause;
  /** Positions that it has moved by, together with its neighbours; null if it was exchanged. */
  readonly by: number | null;
  /** True for the first row that has moved in this way. */
  readonly isFirst: boolean;
}

interface Moved {
  readonly cause: Cause;
  readonly last: number;
  readonly by: number;
  readonly count: number;
}

/** Rows whose leaves are compared with one another, to find moved rows. */
const mostKept = 1_024;
/** Disputes until the next signed root; more stay faults of the events. */
const mostOpen = 65_536;
/** Positions listed in the text of one fault. */
const mostNamed = 10;

/** Decides which of two leaves was changed as soon as a signed root shows the right one. */
export class DisputedLeaves {
  readonly #findings: Findings;
  readonly #publishedSize: number;
  #open: Disputed[] = [];
  readonly #ownAt = new BoundedMap<string, number>(mostKept);
  readonly #publishedAt = new BoundedMap<string, number>(mostKept);
  readonly #causeAt = new BoundedMap<number, Cause>(mostKept);
  #moved: Moved | null = null;
  readonly #exchanged = new Map<Cause, number[]>();
  #tileFault: { readonly tile: number; readonly fault: Fault; positions: number[] } | null = null;

  /** @param publishedSize number of published leaves */
  constructor(findings: Findings, publishedSize: number) {
    this.#findings = findings;
    this.#publishedSize = publishedSize;
  }

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Cause of the first open dispute. */
  get first(): Cause | null {
    return this.#open[0]?.cause ?? null;
  }

  /** True if a tile was found wrong: tiles above it then differ too. */
  get wrongTile(): Fault | null {
    return this.#tileFault?.fault ?? null;
  }

  /**
   * Returns how the row has moved, if the leaf of another position agrees with it; otherwise null.
   * @param own leaf of the row, which it also has stored
   */
  findMoved(position: number, own: Buffer, published: Buffer): MovedRow | null {
    const belongsAt = this.#publishedAt.get(keyOf(own));
    const isNowAt = this.#ownAt.get(keyOf(published));
    const other = belongsAt ?? isNowAt;
    if (other === undefined) return null;
    const by = belongsAt === undefined ? (isNowAt ?? position) - position : position - belongsAt;
    const before = this.#moved;
    const cause =
      before?.by === by && before.last === position - 1
        ? before.cause
        : (this.#causeAt.get(by > 0 ? position - 1 : other) ?? this.#causeAt.get(other));
    if (cause === undefined) return null;
    if (belongsAt !== undefined && belongsAt === isNowAt) {
      this.#exchange(cause, belongsAt, position);
      return { cause, by: null, isFirst: true };
    }
    const isFirst = before?.cause !== cause || before.by !== by || before.last !== position - 1;
    this.#shift(cause, position, by);
    return { cause, by, isFirst };
  }

  /** Remembers the leaves of a row that differs from its published leaf, to find moved rows. */
  remember(position: number, own: Buffer, published: Buffer, cause: Cause): void {
    this.#ownAt.set(keyOf(own), position);
    this.#publishedAt.set(keyOf(published), position);
    this.#causeAt.set(position, cause);
  }

  add(disputed: Disputed): void {
    if (this.#open.length < mostOpen) this.#open.push(disputed);
  }

  /** @param by name of the signed checkpoint that shows which leaves are right */
  settle(right: 'own' | 'other', by: string): void {
    const settled = this.#open;
    this.#open = [];
    for (const { position, with: against, cause, column } of settled) {
      if (right === 'own' && against === 'published') this.#blameTile(position, cause, by);
      else if (against === 'stored') {
        const what = `the stored leaf does not match the event: one of them was changed, as the root in ${by} shows`;
        const blamed = right === 'own' ? 'leaf' : column;
        const { what: known } = cause.fault;
        const isKnown = right === 'other' && known.includes('; the original value was ');
        this.#findings.amend(cause.fault, isKnown ? { column: blamed } : { column: blamed, what });
      }
    }
  }

  #blameTile(position: number, cause: Cause, by: string): void {
    const tile = Math.floor((position - 1) / tileWidth);
    if (this.#tileFault?.tile !== tile) {
      const fault = this.#findings.reportFault({
        in: 'tiles',
        position: null,
        column: null,
        what: this.#pathOf(tile),
      });
      this.#tileFault = { tile, fault, positions: [] };
    }
    const { fault, positions } = this.#tileFault;
    if (!positions.includes(position)) positions.push(position);
    const were = positions.length === 1 ? 'leaf of position' : 'leaves of positions';
    const was = positions.length === 1 ? 'was' : 'were';
    const what = `${this.#pathOf(tile)}: the ${were} ${listed(positions)} in this tile ${was} changed: the events lead to the root in ${by}`;
    this.#findings.amend(fault, { what });
    // One cause may be of several tiles, such as two leaves that were exchanged. Each is at fault.
    if (cause.fault.in === 'events') this.#findings.withdraw(cause.fault, fault);
    cause.fault = fault;
  }

  #pathOf(index: number): string {
    return tilePath({ level: 0, index, width: widthIn(this.#publishedSize, { level: 0, index }) });
  }

  #exchange(cause: Cause, one: number, other: number): void {
    const pairs = this.#exchanged.get(cause) ?? [];
    pairs.push(one, other);
    this.#exchanged.set(cause, pairs);
    const what = `the events at positions ${listed(pairs)} were exchanged: each has the leaf that is published for the other`;
    this.#findings.amend(cause.fault, { column: 'position', what });
  }

  #shift(cause: Cause, position: number, by: number): void {
    const before = this.#moved;
    const isSame = before?.cause === cause && before.by === by && before.last === position - 1;
    const count = isSame ? before.count + 1 : 1;
    this.#moved = { cause, last: position, by, count };
    const much = Math.abs(by) === 1 ? 'one position' : `${Math.abs(by)} positions`;
    const start = by > 0 ? 'an event was inserted here' : 'the event of this position is missing';
    const what = `${start}: the ${count} events after it stand ${much} ${by > 0 ? 'later' : 'earlier'} than published`;
    this.#findings.amend(cause.fault, { column: 'position', what });
  }
}

function keyOf(leaf: Buffer): string {
  return leaf.toString('latin1');
}

function listed(positions: readonly number[]): string {
  const named = positions.slice(0, mostNamed);
  const more = positions.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ');
}
