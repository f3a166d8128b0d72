import { streams } from '../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { Checkpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { Frontier } from '../../src/transparency-log/tree/frontier.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import { type AlteredColumn, findAlteredColumn } from './altered-column.ts';
import { checkRow } from './check-row.ts';
import type { PastTree } from './checkpoint-anchor-audit.ts';
import type { Findings } from './findings.ts';
import { type FoundRow, isDamaged } from './found-row.ts';
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
  readonly findings: Findings;
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
  #previous: FoundRow | null = null;
  #wasOther = false;
  #triesLeft = mostTries;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    this.#streams = new StreamAudit(options.findings.tell);
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

  async add(row: FoundRow): Promise<void> {
    if (this.#position === 0) await this.#advanceCheckpoint();
    const { position } = row;
    if (position !== this.#position + 1) {
      const what = `it follows position ${this.#position}`;
      this.#fault(position, 'position', what);
    }
    this.#position = position;
    const leaf = leafHash(leafInputOf(row));
    const published = (await this.#options.tiles?.leafOf(row, leaf)) ?? null;
    const attempted = { in: 'events', position, what: 'it' } as const;
    const check = () => {
      this.#checkLeaf(row, leaf, published);
      this.#streams.add(row);
    };
    await this.#options.findings.attempt(attempted, check, undefined);
    this.#previous = row;
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
      this.#options.findings.tell({ in: 'log_head', position: null, column: 'position', what });
    }
    for (; this.#next !== null; await this.#advanceCheckpoint()) {
      const what = `${this.#next.name} covers ${this.#next.size} events, the log has ${this.#frontier.size}`;
      this.#options.findings.tell({ in: 'checkpoints', position: null, column: 'note', what });
    }
    const { tiles } = this.#options;
    if (tiles !== null && tiles.size > this.#position) {
      const what = `${tiles.size} leaves are published, the log ends at position ${this.#position}`;
      this.#options.findings.tell({ in: 'tiles', position: null, column: null, what });
    }
  }

  close(): void {
    this.#streams.close();
  }

  /** @param leaf as it is computed anew */
  #checkLeaf(row: FoundRow, leaf: Buffer, published: Buffer | null): void {
    const { position } = row;
    const wrong = checkRow(row);
    for (const [column, what] of wrong) this.#fault(position, column, what);
    const suspects = [...wrong.keys()].filter((column) => column !== 'leaf');
    const isOwn = isDamaged(row, 'leaf') || leaf.equals(row.leaf);
    const isOther = published !== null && !published.equals(leaf);
    const wasOther = this.#wasOther;
    this.#wasOther = isOther;
    if (isOwn && !isOther) return;
    const isLeaf = published !== null && !isOther;
    // Rows that are as they were written, one after the other, have moved: there is nothing to find.
    const isMoved = isOwn && wasOther;
    const altered = isLeaf || isMoved ? null : this.#findAltered(row, published ?? row.leaf);
    // A column that holds nothing is a fault already, and the leaf tells nothing of the others.
    if (altered === null && suspects.some((column) => isDamaged(row, column))) return;
    const columns = altered?.column ?? (suspects.join() || covered);
    const was = altered === null ? '' : `; it was ${altered.was}`;
    if (isOwn) {
      this.#fault(position, columns, `it is not the event whose leaf was published${was}`);
    } else {
      const isRow = published === null ? altered !== null : published.equals(row.leaf);
      const column = isLeaf ? 'leaf' : isRow ? columns : `leaf,${columns}`;
      this.#fault(position, column, `the leaf is not that of what the row holds${was}`);
    }
  }

  /** The column that is proven to be the one by the leaf, and what it was. */
  #findAltered(row: FoundRow, leaf: Buffer): AlteredColumn | null {
    if (leaf.length !== hashBytes) return null;
    const { altered, tried } = findAlteredColumn(row, leaf, this.#previous, this.#triesLeft);
    this.#triesLeft -= tried;
    return altered;
  }

  async #checkRoot(checkpoint: NamedCheckpoint): Promise<void> {
    if (checkpoint.size === this.#frontier.size && !this.#frontier.root().equals(checkpoint.root)) {
      const what = `${checkpoint.name}: the first ${checkpoint.size} events do not come to its root`;
      this.#options.findings.tell({ in: 'checkpoints', position: null, column: 'note', what });
    }
    await this.#advanceCheckpoint();
  }

  async #advanceCheckpoint(): Promise<void> {
    const { checkpoints, findings } = this.#options;
    const what = this.#next === null ? 'the list' : `the list after ${this.#next.name}`;
    const next = await findings.attempt(
      { in: 'checkpoints', what },
      () => checkpoints.next(),
      null,
    );
    this.#next = next === null || next.done === true ? null : next.value;
  }

  #fault(position: number, column: string, what: string): void {
    this.#options.findings.tell({ in: 'events', position, column, what });
  }
}
