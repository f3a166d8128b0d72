import { hashBytes } from '../../../src/transparency-log/tree/merkle-hash.ts';
import type { DamagedRows } from '../damage/damaged-rows.ts';
import type { Cause } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { StreamAudit } from '../streams/stream-audit.ts';
import type { AuditedTree } from '../tree/audited-tree.ts';
import type { TileAudit } from '../tree/tile-audit.ts';
import type { RootAudit } from './root-audit.ts';

interface MissingRowsOptions {
  /** Null if nothing is published. */
  readonly tiles: TileAudit | null;
  readonly tree: AuditedTree;
  readonly roots: RootAudit;
  readonly streams: StreamAudit;
  readonly damaged: DamagedRows;
  readonly findings: Findings;
}

/** Positions without an event that are looked at one by one. */
const widestGap = 1_000_000;
/** Missing events whose rows are looked for outside the positions of the log. */
const mostMissing = 10_000;

/** Reports each run of positions without a row as one fault, and adds their published leaves. */
export class MissingRows {
  readonly #options: MissingRowsOptions;
  /** By their published leaves. */
  readonly #causes = new Map<string, Cause>();
  /** Faults of lines before the next row. */
  #skipped: Fault[] = [];

  constructor(options: MissingRowsOptions) {
    this.#options = options;
  }

  /** A line of an export before the next row cannot be read, as the fault states. */
  skipLine(fault: Fault): void {
    this.#skipped.push(fault);
  }

  /** The lines that cannot be read were no missing rows. */
  forgetLines(): void {
    this.#skipped = [];
  }

  /** The cause, if the row with this leaf is missing at its published position. */
  causeOf(leaf: Buffer): Cause | null {
    return this.#causes.get(leaf.toString('latin1')) ?? null;
  }

  /** Adds the positions from `first` to the one before `next`, which no row has. */
  async add(first: number, next: number): Promise<void> {
    if (first < next) await this.#addLeaves(first, next, this.#report(first, next));
  }

  /**
   * Adds the published leaves after the last event of an export, which may just be older. Resolves
   * with the last position whose leaf was added.
   */
  async addLater(first: number, last: number): Promise<number> {
    if (last < first) return first - 1;
    const isAdded = await this.#addLeaves(first, last + 1, null);
    if (isAdded) return last;
    const what = `the root of the published checkpoint was not compared: more than ${widestGap} events were published after the export`;
    this.#options.findings.reportUnchecked({ in: 'tiles', position: null, column: null, what });
    return first - 1;
  }

  /** Returns false if there are too many. */
  async #addLeaves(first: number, next: number, cause: Cause | null): Promise<boolean> {
    const { tiles, tree, roots } = this.#options;
    if (next - first > widestGap) {
      tree.appendMissing(null);
      return false;
    }
    for (let position = first; position < next; position += 1) {
      const published = (await tiles?.leafOf({ position }, noLeaf)) ?? null;
      roots.takeUnlikeBelow();
      if (cause !== null && published !== null && this.#causes.size < mostMissing) {
        this.#causes.set(published.toString('latin1'), cause);
      }
      tree.appendMissing(published);
      await roots.compareAt(position);
    }
    return true;
  }

  #report(first: number, next: number): Cause {
    const { findings, damaged, streams } = this.#options;
    const count = next - first;
    const missing = count === 1 ? `event ${first} is` : `events ${first} to ${next - 1} are`;
    const [skipped = null] = this.#skipped;
    const isSkipped = skipped !== null && this.#skipped.length === count;
    const what = `${missing} missing${isSkipped ? `: ${skipped.what}` : ''}`;
    const fault = { in: 'events', position: first, column: 'position', what } as const;
    const cause = findings.reportCause(fault, { streams: [] });
    if (isSkipped) for (const one of this.#skipped) findings.withdraw(one, cause.fault);
    damaged.note(cause);
    streams.lose(cause, count);
    return cause;
  }
}

const noLeaf = Buffer.alloc(hashBytes);
