import { streams } from '../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { Checkpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { Frontier, rootOf } from '../../src/transparency-log/tree/frontier.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import { tileWidth } from '../../src/transparency-log/tree/tile.ts';
import { type AlteredColumn, findAlteredColumn } from './altered-column.ts';
import { checkRow } from './check-row.ts';
import type { PastTree } from './checkpoint-anchor-audit.ts';
import { blockRows, bufferOf, type CopiedPage, hashesIn, leafBytes, rowAt } from './copied-row.ts';
import type { Findings } from './findings.ts';
import { type FoundRow, isDamaged } from './found-row.ts';
import { LogEpochs } from './log-epochs.ts';
import type { LogHistory } from './log-history.ts';
import { RecordedTimes } from './recorded-times.ts';
import { StreamAudit } from './stream-audit.ts';
import type { TileAudit } from './tile-audit.ts';

/** A published checkpoint, with its name in findings. */
export interface NamedCheckpoint extends Checkpoint {
  readonly name: string;
}

interface LogAuditOptions {
  /** Ordered by size. */
  readonly checkpoints: AsyncIterator<NamedCheckpoint>;
  readonly history: LogHistory;
  /** Null if nothing is published. */
  readonly tiles: TileAudit | null;
  readonly findings: Findings;
}

/** Guesses at altered columns in a whole audit; they take a second or two. */
const mostTries = 1_000_000;
const covered = 'event_id,organisation_id,stream,version,type,schema,recorded_at,data,meta';

/**
 * Audits events in order: positions, leaves, stream versions, ids, times, and the tree over the recomputed
 * leaves against published tiles and checkpoints. Memory is bounded.
 */
export class LogAudit implements PastTree {
  readonly epochs: LogEpochs | null;
  readonly stream: string | null;
  readonly #options: LogAuditOptions;
  readonly #streams: StreamAudit;
  readonly #times = new RecordedTimes();
  readonly #frontier = new Frontier();
  /** Roots at the sizes that the history announced. */
  readonly #roots = new Map<number, Buffer>();
  #next: NamedCheckpoint | null = null;
  #position = 0;
  #previous: () => FoundRow | null = () => null;
  #wasOther = false;
  #triesLeft = mostTries;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    this.#streams = new StreamAudit(options.findings.reportFault);
    const { logId } = options.history;
    this.epochs = LogEpochs.of(options.history);
    this.stream = logId === null ? null : streams.log(logId);
  }

  /** Position of the last event. */
  get position(): number {
    return this.#position;
  }

  /** Root over the events so far. */
  root(): Buffer {
    return this.#frontier.root();
  }

  rootAt(size: number): Buffer | null {
    return this.#roots.get(size) ?? null;
  }

  /** Compares the tiles that a page covers, so that its rows need no comparison with them. */
  async compareTiles({ positions, leaves, sound, blocks }: CopiedPage): Promise<void> {
    const { tiles } = this.#options;
    const first = positions[0] ?? 0;
    if (tiles === null || blocks.length === 0 || (first - 1) % tileWidth !== 0) return;
    for (let from = 0; from + tileWidth <= positions.length; from += tileWidth) {
      if (sound.subarray(from, from + tileWidth).includes(0)) return;
      const root = () => rootOf(hashesIn(blocks, from / blockRows, tileWidth / blockRows));
      const bytes = bufferOf(leaves).subarray(leafBytes * from, leafBytes * (from + tileWidth));
      if (!(await tiles.takeTile(first + from, bytes, root))) return;
    }
  }

  /**
   * Adds the row at `index` of a page, or the block of rows that begins there, if it needs no
   * comparison but that with earlier events. Returns the number of added rows; 0: `add` the row.
   */
  addSound(page: CopiedPage, index: number): number {
    const { positions, leaves, blocks } = page;
    const position = positions[index] as number;
    if (position !== this.#position + 1 || this.#frontier.size !== this.#position) return 0;
    const isBlock =
      blocks.length > 0 && index % blockRows === 0 && this.#isPlain(page, index, blockRows);
    if (!isBlock && !this.#isPlain(page, index, 1)) return 0;
    const count = isBlock ? blockRows : 1;
    const [hash] = isBlock ? hashesIn(blocks, index / blockRows, 1) : hashesIn(leaves, index, 1);
    this.#frontier.appendSubtree(hash as Buffer, count);
    for (let row = index; row < index + count; row += 1) this.#compareWithEarlier(page, row);
    this.#position += count;
    this.#wasOther = false;
    this.#previous = () => rowAt(page, index + count - 1);
    return count;
  }

  async add(row: FoundRow): Promise<void> {
    if (this.#position === 0) await this.#advanceCheckpoint();
    const { position } = row;
    if (position !== this.#position + 1) {
      const what = `the previous event has position ${this.#position}, but positions must count up by one`;
      this.#fault(position, 'position', what);
    }
    this.#position = position;
    const leaf = leafHash(leafInputOf(row));
    const published = (await this.#options.tiles?.leafOf(row, leaf)) ?? null;
    const attempted = { in: 'events', position, what: 'the event' } as const;
    const check = () => {
      this.#checkLeaf(row, leaf, published);
      this.#streams.add(row);
      for (const what of this.#times.reasonsAgainst(row)) {
        this.#fault(position, 'recorded_at', what);
      }
    };
    await this.#options.findings.attempt(attempted, check, undefined);
    this.#previous = () => row;
    this.#frontier.append(leaf);
    const { size } = this.#frontier;
    if (this.#options.history.sizes.has(size)) this.#roots.set(size, this.root());
    while (this.#next !== null && this.#next.size <= this.#frontier.size) {
      await this.#checkRoot(this.#next);
    }
  }

  /**
   * Ends the audit after the last event.
   * @param head position in the row of the head; null if there is none to compare
   */
  async end(head: number | null): Promise<void> {
    if (this.#position === 0) await this.#advanceCheckpoint();
    if (head !== null && head !== this.#position) {
      const what = `log_head states the last position ${head}, but the last event is at position ${this.#position}`;
      this.#options.findings.reportFault({
        in: 'log_head',
        position: null,
        column: 'position',
        what,
      });
    }
    for (; this.#next !== null; await this.#advanceCheckpoint()) {
      const what = `${this.#next.name} covers ${this.#next.size} events, but the log has only ${this.#frontier.size}`;
      this.#options.findings.reportFault({
        in: 'checkpoints',
        position: null,
        column: 'note',
        what,
      });
    }
    const { tiles } = this.#options;
    if (tiles !== null && tiles.size > this.#position) {
      const what = `${tiles.size} events are published, but the log ends at position ${this.#position}`;
      this.#options.findings.reportFault({ in: 'tiles', position: null, column: null, what });
    }
  }

  close(): void {
    this.#streams.close();
  }

  /** True if these rows are sound, and no published tile or checkpoint must be compared at them. */
  #isPlain({ positions, sound }: CopiedPage, index: number, count: number): boolean {
    const first = positions[index] as number;
    const last = first + count - 1;
    const { tiles, history } = this.#options;
    if (first === 1 || positions[index + count - 1] !== last) return false;
    if (tiles !== null && last > tiles.comparedThrough && first <= tiles.size) return false;
    if (this.#next !== null && this.#next.size <= last) return false;
    for (let n = 0; n < count; n += 1) {
      if (sound[index + n] === 0 || history.sizes.has(first + n)) return false;
    }
    return true;
  }

  #compareWithEarlier(page: CopiedPage, index: number): void {
    const isRight = this.#streams.addSound(page, index);
    if (!isRight) this.#streams.add(rowAt(page, index));
    // Events of ledgers are compared with their ledger's time, too.
    if (page.needed[index] !== 2 && this.#times.follows(page.times[index] as number)) return;
    const row = rowAt(page, index);
    for (const what of this.#times.reasonsAgainst(row)) {
      this.#fault(row.position, 'recorded_at', what);
    }
  }

  /** @param leaf the recomputed leaf */
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
    // Consecutive rows that match their own leaves but not the published leaves have moved: no
    // column was altered.
    const isMoved = isOwn && wasOther;
    const altered = isLeaf || isMoved ? null : this.#findAltered(row, published ?? row.leaf);
    // A damaged column is reported already, and the leaf then proves nothing about the others.
    if (altered === null && suspects.some((column) => isDamaged(row, column))) return;
    const columns = altered?.column ?? (suspects.join() || covered);
    const was = altered === null ? '' : `; the original value was ${altered.was}`;
    if (isOwn) {
      this.#fault(
        position,
        columns,
        `the event does not match the leaf published for its position: one of them was changed${was}`,
      );
    } else {
      const isRow = published === null ? altered !== null : published.equals(row.leaf);
      const column = isLeaf ? 'leaf' : isRow ? columns : `leaf,${columns}`;
      this.#fault(
        position,
        column,
        `the stored leaf does not match the event: one of them was changed${was}`,
      );
    }
  }

  /** The altered column and its original value, as proven by the leaf. */
  #findAltered(row: FoundRow, leaf: Buffer): AlteredColumn | null {
    if (leaf.length !== hashBytes) return null;
    const previous = this.#previous();
    const { altered, tried } = findAlteredColumn(row, leaf, previous, this.#triesLeft);
    this.#triesLeft -= tried;
    return altered;
  }

  async #checkRoot(checkpoint: NamedCheckpoint): Promise<void> {
    if (checkpoint.size === this.#frontier.size && !this.#frontier.root().equals(checkpoint.root)) {
      const what = `${checkpoint.name}: the root of the first ${checkpoint.size} events differs from the root in the checkpoint`;
      this.#options.findings.reportFault({
        in: 'checkpoints',
        position: null,
        column: 'note',
        what,
      });
    }
    await this.#advanceCheckpoint();
  }

  async #advanceCheckpoint(): Promise<void> {
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

  #fault(position: number, column: string, what: string): void {
    this.#options.findings.reportFault({ in: 'events', position, column, what });
  }
}
