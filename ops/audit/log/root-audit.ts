import type { NamedCheckpoint } from '../checkpoints/named-checkpoint.ts';
import type { DamagedRows } from '../damage/damaged-rows.ts';
import type { DisputedLeaves } from '../damage/disputed-leaves.ts';
import type { Cause } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { AuditedTree } from '../tree/audited-tree.ts';
import type { TileAudit } from '../tree/tile-audit.ts';

interface RootAuditOptions {
  /** Ordered by size, except those of `sizes`. */
  readonly checkpoints: AsyncIterator<NamedCheckpoint>;
  /** Sizes at which the roots are kept. */
  readonly sizes: ReadonlySet<number>;
  /** Null if nothing is published. */
  readonly tiles: TileAudit | null;
  readonly tree: AuditedTree;
  readonly disputes: DisputedLeaves;
  readonly damaged: DamagedRows;
  readonly findings: Findings;
}

/**
 * Compares the tree with the roots of signed checkpoints, in the order of their sizes. A root that
 * agrees settles which of two disputed leaves is right.
 */
export class RootAudit {
  readonly #options: RootAuditOptions;
  /** Null: the root of that size is unknown. */
  readonly #kept = new Map<number, readonly Buffer[] | null>();
  /** Tiles that differ from those below, while a leaf below is disputed. */
  #unlikeBelow: Fault[] = [];
  #isStarted = false;
  #next: NamedCheckpoint | null = null;
  /** Size of the last checkpoint that was compared. */
  #compared = -1;
  /** True if the first wrong root is listed: the others are counted. */
  #isRootShown = false;

  constructor(options: RootAuditOptions) {
    this.#options = options;
  }

  /** The next listed checkpoint to compare; null before the start, and after the last one. */
  get next(): NamedCheckpoint | null {
    return this.#next;
  }

  /** Reads the first listed checkpoint. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#advance();
  }

  /** As `PastTree.hasRoot`. */
  hasRoot(size: number, root: Buffer): boolean | null {
    const roots = this.#kept.get(size);
    if (roots === null) return null;
    return roots?.some((one) => one.equals(root)) ?? false;
  }

  /** Compares the tree with everything that states its root at its present size. */
  async compareAt(size: number): Promise<void> {
    const { sizes, tiles, tree } = this.#options;
    if (sizes.has(size)) {
      const { own, other } = tree.roots;
      this.#kept.set(size, tree.hasUnknown ? null : [own, other]);
    }
    for (; this.#next !== null && this.#next.size <= size; await this.#advance()) {
      if (this.#next.size === size) this.#compare(this.#next);
      else this.#compareKept(this.#next);
    }
    if (tiles?.size === size && this.#compared !== size) {
      this.#compare({ ...tiles.checkpoint, name: 'the newest checkpoint' });
    }
  }

  /** Takes the faults of tiles that differ from those below. */
  takeUnlikeBelow(): void {
    const { disputes, tiles } = this.#options;
    this.#unlikeBelow.push(...(tiles?.takeUnlikeBelow() ?? []));
    const { wrongTile } = disputes;
    if (wrongTile !== null) this.#foldUnlikeBelow(wrongTile);
    if (disputes.isEmpty) this.#unlikeBelow = [];
  }

  /**
   * Reports the listed checkpoints beyond the last event.
   * @param cut the missing end of the log, which explains all but the first; null if none is missing
   */
  async end(last: number, cut: Cause | null): Promise<void> {
    for (let isFirst = true; this.#next !== null; isFirst = false) {
      const { name, size } = this.#next;
      const what = `${name} covers ${size} events, but the log has only ${last}`;
      const fault = { in: 'checkpoints', position: null, column: 'note', what } as const;
      if (size <= last) this.#compareKept(this.#next);
      else if (cut !== null && !isFirst) this.#options.findings.addConsequence(cut.fault, fault);
      await this.#advance();
    }
  }

  /** Compares a checkpoint that follows a larger one. The audit of the list reports all others. */
  #compareKept(checkpoint: NamedCheckpoint): void {
    const { size, root } = checkpoint;
    if (!this.#kept.has(size)) return;
    this.#options.findings.compared.listedCheckpoints += 1;
    if (this.hasRoot(size, root) === false) {
      this.#options.findings.reportWrongRoot(wrongRootOf(checkpoint));
    }
  }

  #compare({ name, size, root }: NamedCheckpoint): void {
    const { damaged, disputes, findings, tree } = this.#options;
    const fault = wrongRootOf({ name, size });
    this.#compared = size;
    findings.compared.listedCheckpoints += 1;
    const { own, other } = tree.roots;
    if (!tree.hasUnknown && own.equals(root)) this.#settle('own', name);
    else if (!tree.hasUnknown && other.equals(root)) this.#settle('other', name);
    else {
      // The leaf of an event after an export cannot be read, as its tile reports.
      if (tree.hasUnknown && damaged.first === null) return;
      const cause = tree.hasUnknown ? damaged.first : disputes.first;
      if (cause !== null) findings.addConsequence(cause.fault, fault);
      else findings.reportWrongRoot(fault);
      return;
    }
    findings.rootAgrees();
    if (damaged.first !== null && !tree.root().equals(root)) {
      findings.addConsequence(damaged.first.fault, fault, !this.#isRootShown);
      this.#isRootShown = true;
    }
  }

  #settle(right: 'own' | 'other', name: string): void {
    const { disputes, tree } = this.#options;
    if (disputes.isEmpty) return;
    disputes.settle(right, name);
    tree.settle(right);
    const { wrongTile } = disputes;
    if (wrongTile !== null) this.#foldUnlikeBelow(wrongTile);
    this.#unlikeBelow = [];
  }

  #foldUnlikeBelow(because: Fault): void {
    const { findings } = this.#options;
    for (const fault of this.#unlikeBelow) {
      findings.withdraw(fault, because);
      findings.addConsequence(because, fault);
    }
    this.#unlikeBelow = [];
  }

  async #advance(): Promise<void> {
    const { checkpoints, findings } = this.#options;
    const what =
      this.#next === null
        ? 'the list of checkpoints'
        : `the list of checkpoints after ${this.#next.name}`;
    const next = await findings.attempt(
      { in: 'checkpoints', what },
      () => checkpoints.next(),
      null,
    );
    this.#next = next === null || next.done === true ? null : next.value;
  }
}

function wrongRootOf({ name, size }: Pick<NamedCheckpoint, 'name' | 'size'>): Fault {
  const what = `${name}: the root of the first ${size} events differs from the root in the checkpoint`;
  return { in: 'checkpoints', position: null, column: 'note', what };
}
