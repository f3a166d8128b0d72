import { streams } from '../../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../../src/event-store/leaf.ts';
import type { NamedCheckpoint } from '../checkpoints/named-checkpoint.ts';
import { DamagedRows } from '../damage/damaged-rows.ts';
import { DisputedLeaves } from '../damage/disputed-leaves.ts';
import type { Cause } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import { LogEpochs } from '../history/log-epochs.ts';
import type { LogHistory } from '../history/log-history.ts';
import type { PastTree } from '../history/past-tree.ts';
import { checkRow } from '../rows/check-row.ts';
import { blockRows, type CopiedPage, hashesIn, rowAt } from '../rows/copied-row.ts';
import { type FoundRow, isDamaged } from '../rows/found-row.ts';
import { AuditedTree } from '../tree/audited-tree.ts';
import type { TileAudit } from '../tree/tile-audit.ts';
import { EarlierEvents } from './earlier-events.ts';
import { compareEnd } from './log-end.ts';
import { MissingRows } from './missing-rows.ts';
import { plainRows } from './plain-rows.ts';
import { RootAudit } from './root-audit.ts';
import { takePageTiles } from './take-page-tiles.ts';

interface LogAuditOptions {
  /** Ordered by size, except those whose sizes the history announces. */
  readonly checkpoints: AsyncIterator<NamedCheckpoint>;
  readonly history: LogHistory;
  /** Null if nothing is published. */
  readonly tiles: TileAudit | null;
  /** Number of events that are to be expected; default unknown. */
  readonly expected?: number;
  /** True for an export, which may be older than the published checkpoint (default false). */
  readonly mayEndEarly?: boolean;
  readonly findings: Findings;
}

/**
 * Audits events in order: positions, leaves, stream versions, ids, times, and the tree over the
 * leaves against published tiles and checkpoints. A damaged row is one fault, and what follows from
 * it elsewhere its consequence. Memory is bounded.
 */
export class LogAudit implements PastTree {
  readonly epochs: LogEpochs | null;
  readonly stream: string | null;
  readonly #options: LogAuditOptions;
  readonly #earlier: EarlierEvents;
  readonly #tree = new AuditedTree();
  readonly #disputes: DisputedLeaves;
  readonly #damaged: DamagedRows;
  readonly #roots: RootAudit;
  readonly #missing: MissingRows;
  #position = 0;
  /** Number of known leaves after the end. */
  #size = 0;
  #previous: () => FoundRow | null = () => null;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    const { findings, history, tiles } = options;
    this.#earlier = new EarlierEvents({ ...options, sizes: history.sizes });
    const { streams: ofStreams } = this.#earlier;
    this.#disputes = new DisputedLeaves(findings, tiles?.size ?? 0);
    this.#damaged = new DamagedRows({
      ...{ findings, tree: this.#tree, streams: ofStreams, disputes: this.#disputes },
    });
    this.#roots = new RootAudit({
      ...{ ...options, sizes: history.sizes },
      ...{ tree: this.#tree, disputes: this.#disputes, damaged: this.#damaged },
    });
    this.#missing = new MissingRows({
      ...{ tiles, findings, tree: this.#tree, roots: this.#roots },
      ...{ streams: ofStreams, damaged: this.#damaged },
    });
    this.epochs = LogEpochs.of(history);
    this.stream = history.logId === null ? null : streams.log(history.logId);
  }

  /** Position of the last event. */
  get position(): number {
    return this.#position;
  }

  /** After the end: the number of known leaves, of the events and of those published after them. */
  get size(): number {
    return Math.max(this.#size, this.#position);
  }

  /** Root over the events so far. */
  root(): Buffer {
    return this.#tree.root();
  }

  hasRoot(size: number, root: Buffer): boolean | null {
    return this.#roots.hasRoot(size, root);
  }

  /** A line of an export before the next row cannot be read, as the fault states. */
  skipLine(fault: Fault): void {
    this.#missing.skipLine(fault);
  }

  /** Compares the tiles that a page covers, so that its rows need no comparison with them. */
  async compareTiles(page: CopiedPage): Promise<void> {
    const { tiles } = this.#options;
    if (tiles !== null) await takePageTiles(tiles, page);
  }

  /**
   * Adds the row at `index` of a page, or the block of rows that begins there, if it needs no
   * comparison but that with earlier events. Returns the number of added rows; 0: `add` the row.
   */
  addSound(page: CopiedPage, index: number): number {
    const { positions, leaves, blocks } = page;
    const position = positions[index] as number;
    if (position !== this.#position + 1 || !this.#tree.isUndisputed) return 0;
    const { tiles, history } = this.#options;
    const nextSize = this.#roots.next?.size ?? null;
    const count = plainRows(page, index, { tiles, nextSize, sizes: history.sizes });
    if (count === 0) return 0;
    const isBlock = count === blockRows;
    const [hash] = isBlock ? hashesIn(blocks, index / blockRows, 1) : hashesIn(leaves, index, 1);
    this.#tree.appendSubtree(hash as Buffer, count);
    for (let row = index; row < index + count; row += 1) this.#earlier.addSound(page, row);
    this.#position += count;
    this.#missing.forgetLines();
    this.#previous = () => rowAt(page, index + count - 1);
    return count;
  }

  async add(row: FoundRow): Promise<void> {
    await this.#roots.start();
    const { position } = row;
    const leaf = leafHash(leafInputOf(row));
    if (position <= this.#position) {
      this.#addExtra(row, leaf);
      return;
    }
    await this.#missing.add(this.#position + 1, position);
    this.#missing.forgetLines();
    this.#position = position;
    const published = (await this.#options.tiles?.leafOf(row, leaf)) ?? null;
    this.#roots.takeUnlikeBelow();
    const attempted = { in: 'events', position, what: 'the event' } as const;
    await this.#options.findings.attempt(
      attempted,
      () => this.#addRow(row, leaf, published),
      undefined,
    );
    this.#previous = () => row;
    await this.#roots.compareAt(this.#position);
  }

  /**
   * Ends the audit after the last event.
   * @param head position in the row of the head; null if there is none to compare
   */
  async end(head: number | null): Promise<void> {
    await this.#roots.start();
    const { tiles, findings, mayEndEarly = false } = this.#options;
    const last = this.#position;
    if (mayEndEarly) this.#size = await this.#missing.addLater(last + 1, tiles?.size ?? 0);
    const { next } = this.#roots;
    const ended = { last, head, tiles: tiles?.size ?? null, next, findings };
    const cut = mayEndEarly ? null : compareEnd(ended);
    await this.#roots.end(last, cut);
    this.#earlier.streams.end();
  }

  /** The cause, if the row with this leaf is missing at its published position. */
  causeOfMissing(leaf: Buffer): Cause | null {
    return this.#missing.causeOf(leaf);
  }

  close(): void {
    this.#earlier.streams.close();
  }

  /** A row whose position an earlier row has, or that stands behind a later one. */
  #addExtra(row: FoundRow, leaf: Buffer): void {
    const { position, stream, data } = row;
    const what =
      position === this.#position
        ? 'the position is there twice'
        : `the previous event has position ${this.#position}, but positions must count up by one`;
    const fault = { in: 'events', position, column: 'position', what } as const;
    this.#damaged.note(this.#options.findings.reportCause(fault, { streams: [stream], data }));
    this.#tree.appendExtra(leaf);
  }

  #addRow(row: FoundRow, leaf: Buffer, published: Buffer | null): void {
    const wrong = checkRow(row);
    const isOwn = isDamaged(row, 'leaf') || leaf.equals(row.leaf);
    const isOther = published !== null && !published.equals(leaf);
    if (wrong.size === 0 && isOwn && !isOther) {
      this.#tree.append(leaf);
      this.#damaged.learn(row);
      this.#earlier.add(row);
      return;
    }
    this.#damaged.add(row, leaf, published, { wrong, previous: this.#previous() });
  }
}
