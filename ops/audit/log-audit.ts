import type { Checkpoint } from '../../src/domain/log/checkpoint.ts';
import { Frontier } from '../../src/domain/log/frontier.ts';
import { streams } from '../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { type AlteredColumn, findAlteredColumn } from './altered-column.ts';
import { checkRow } from './check-row.ts';
import type { PastTree } from './checkpoint-anchor-audit.ts';
import type { Tell } from './fault.ts';
import { LogEpochs } from './log-epochs.ts';
import type { LogHistory } from './log-history.ts';
import { StreamAudit } from './stream-audit.ts';
import type { TileAudit } from './tile-audit.ts';

/** A published checkpoint, by what it is called where it is kept. */
export interface NamedCheckpoint extends Checkpoint {
  readonly name: string;
}

export interface LogAuditOptions {
  /** In the order of their sizes. */
  readonly checkpoints: AsyncIterator<NamedCheckpoint>;
  readonly history: LogHistory;
  /** Null where nothing is published. */
  readonly tiles: TileAudit | null;
  readonly tell: Tell;
}

/** Of guesses at what was changed, for a whole audit: a second or two. */
const mostTries = 1_000_000;
const covered = 'event_id,organisation_id,stream,version,type,schema,recorded_at,data,meta';

/**
 * Audits the events one after the other: positions, leaves, stream versions, ids, and the tree over
 * the leaves as they are computed anew, against published tiles and checkpoints. Memory is bounded.
 */
export class LogAudit implements PastTree {
  readonly epochs: LogEpochs | null;
  readonly stream: string | null;
  readonly #options: LogAuditOptions;
  readonly #streams: StreamAudit;
  readonly #frontier = new Frontier();
  /** At the sizes that the history announced. */
  readonly #roots = new Map<number, Buffer>();
  #next: NamedCheckpoint | null = null;
  #position = 0;
  #previous: EventRow | null = null;
  #wasOther = false;
  #triesLeft = mostTries;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    this.#streams = new StreamAudit(options.tell);
    const { logId } = options.history;
    this.epochs = LogEpochs.of(options.history);
    this.stream = logId === null ? null : streams.log(logId);
  }

  /** Position of the last event. */
  get position(): number {
    return this.#position;
  }

  /** Over the events so far. */
  root(): Buffer {
    return this.#frontier.root();
  }

  rootAt(size: number): Buffer | null {
    return this.#roots.get(size) ?? null;
  }

  async add(row: EventRow): Promise<void> {
    if (this.#position === 0) await this.#advanceCheckpoint();
    const { position } = row;
    if (position !== this.#position + 1) {
      const what = `it follows position ${this.#position}`;
      this.#fault(position, 'position', what);
    }
    this.#position = position;
    const leaf = await this.#checkLeaf(row);
    this.#previous = row;
    this.#streams.add(row);
    this.#frontier.append(leaf);
    const { size } = this.#frontier;
    if (this.#options.history.sizes.has(size)) this.#roots.set(size, this.root());
    while (this.#next !== null && this.#next.size <= this.#frontier.size) {
      await this.#checkRoot(this.#next);
    }
  }

  /** After the last event; `head` is what the head's row says, null where there is none to compare. */
  async end(head: number | null): Promise<void> {
    if (this.#position === 0) await this.#advanceCheckpoint();
    if (head !== null && head !== this.#position) {
      const what = `it says ${head}, the last event is at ${this.#position}`;
      this.#options.tell({ in: 'log_head', position: null, column: 'position', what });
    }
    for (; this.#next !== null; await this.#advanceCheckpoint()) {
      const what = `${this.#next.name} covers ${this.#next.size} events, the log has ${this.#frontier.size}`;
      this.#options.tell({ in: 'checkpoints', position: null, column: 'note', what });
    }
    const { tiles } = this.#options;
    if (tiles !== null && tiles.size > this.#frontier.size) {
      const what = `${tiles.size} leaves are published, the log has ${this.#frontier.size} events`;
      this.#options.tell({ in: 'tiles', position: null, column: null, what });
    }
  }

  close(): void {
    this.#streams.close();
  }

  /** Returns the leaf as it is computed anew. */
  async #checkLeaf(row: EventRow): Promise<Buffer> {
    const { position } = row;
    const leaf = leafHash(leafInputOf(row));
    const { tiles } = this.#options;
    const isPublished = tiles !== null && this.#frontier.size < tiles.size;
    const published = isPublished ? await tiles.leafAt(this.#frontier.size + 1) : null;
    if (isPublished) await tiles.add(published ?? leaf);
    const wrong = checkRow(row);
    for (const [column, what] of wrong) this.#fault(position, column, what);
    const suspects = wrong.size > 0 ? [...wrong.keys()].join() : covered;
    const isOwn = leaf.equals(row.leaf);
    const isOther = published !== null && !published.equals(leaf);
    if (!isOwn || isOther) {
      const isLeaf = published !== null && !isOther;
      const altered = isLeaf ? null : this.#findAltered(row, published ?? row.leaf, isOwn);
      const columns = altered?.column ?? suspects;
      const was = altered === null ? '' : `; it was ${altered.was}`;
      if (isOwn) {
        this.#fault(position, columns, `it is not the event whose leaf was published${was}`);
      } else {
        const isRow = published === null ? altered !== null : published.equals(row.leaf);
        const column = isLeaf ? 'leaf' : isRow ? columns : `leaf,${columns}`;
        this.#fault(position, column, `the leaf is not that of what the row holds${was}`);
      }
    }
    this.#wasOther = isOther;
    return leaf;
  }

  /**
   * The column that is proven to be the one by the leaf, and what it was. Rows that are as they were
   * written, one after the other, have moved: there is nothing to be found in them.
   */
  #findAltered(row: EventRow, leaf: Buffer, isOwn: boolean): AlteredColumn | null {
    if (isOwn && this.#wasOther) return null;
    const { altered, tried } = findAlteredColumn(row, leaf, this.#previous, this.#triesLeft);
    this.#triesLeft -= tried;
    return altered;
  }

  async #checkRoot(checkpoint: NamedCheckpoint): Promise<void> {
    if (checkpoint.size === this.#frontier.size && !this.#frontier.root().equals(checkpoint.root)) {
      const what = `${checkpoint.name}: the first ${checkpoint.size} events do not come to its root`;
      this.#options.tell({ in: 'checkpoints', position: null, column: 'note', what });
    }
    await this.#advanceCheckpoint();
  }

  async #advanceCheckpoint(): Promise<void> {
    const { done, value } = await this.#options.checkpoints.next();
    this.#next = done === true ? null : value;
  }

  #fault(position: number, column: string, what: string): void {
    this.#options.tell({ in: 'events', position, column, what });
  }
}
