import { streams } from '../../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../../src/event-store/leaf.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { tileWidth } from '../../../src/transparency-log/tree/tile.ts';
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
import {
  blockRows,
  bufferOf,
  type CopiedPage,
  hashesIn,
  leafBytes,
  rowAt,
} from '../rows/copied-row.ts';
import { type FoundRow, isDamaged } from '../rows/found-row.ts';
import { RecordedTimes } from '../streams/recorded-times.ts';
import { StreamAudit } from '../streams/stream-audit.ts';
import { AuditedTree } from '../tree/audited-tree.ts';
import type { TileAudit } from '../tree/tile-audit.ts';
import { MissingRows } from './missing-rows.ts';
import { RootAudit } from './root-audit.ts';

interface LogAuditOptions {
  /** Ordered by size. */
  readonly checkpoints: AsyncIterator<NamedCheckpoint>;
  readonly history: LogHistory;
  /** Null if nothing is published. */
  readonly tiles: TileAudit | null;
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
  readonly #streams: StreamAudit;
  readonly #times: RecordedTimes;
  readonly #tree = new AuditedTree();
  readonly #disputes: DisputedLeaves;
  readonly #damaged: DamagedRows;
  readonly #roots: RootAudit;
  readonly #missing: MissingRows;
  #position = 0;
  #previous: () => FoundRow | null = () => null;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    const { findings, history, tiles } = options;
    this.#streams = new StreamAudit(findings);
    this.#times = new RecordedTimes(Date.now(), history.sizes);
    this.#disputes = new DisputedLeaves(findings, tiles?.size ?? 0);
    this.#damaged = new DamagedRows({
      ...{ findings, tree: this.#tree, streams: this.#streams, disputes: this.#disputes },
    });
    this.#roots = new RootAudit({
      ...{ ...options, sizes: history.sizes },
      ...{ tree: this.#tree, disputes: this.#disputes, damaged: this.#damaged },
    });
    this.#missing = new MissingRows({
      ...{ tiles, findings, tree: this.#tree, roots: this.#roots },
      ...{ streams: this.#streams, damaged: this.#damaged },
    });
    this.epochs = LogEpochs.of(history);
    this.stream = history.logId === null ? null : streams.log(history.logId);
  }

  /** Position of the last event. */
  get position(): number {
    return this.#position;
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
  async compareTiles({ positions, leaves, sound, blocks }: CopiedPage): Promise<void> {
    const { tiles } = this.#options;
    const first = positions[0] ?? 0;
    if (tiles === null || blocks.length === 0 || (first - 1) % tileWidth !== 0) return;
    for (let from = 0; from + tileWidth <= positions.length; from += tileWidth) {
      if (sound.subarray(from, from + tileWidth).includes(0)) return;
      // A position may be there twice, and the next one missing.
      const covered = positions.subarray(from, from + tileWidth);
      if (covered.some((position, n) => position !== first + from + n)) return;
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
    if (position !== this.#position + 1 || !this.#tree.isUndisputed) return 0;
    const isBlock =
      blocks.length > 0 && index % blockRows === 0 && this.#isPlain(page, index, blockRows);
    if (!isBlock && !this.#isPlain(page, index, 1)) return 0;
    const count = isBlock ? blockRows : 1;
    const [hash] = isBlock ? hashesIn(blocks, index / blockRows, 1) : hashesIn(leaves, index, 1);
    this.#tree.appendSubtree(hash as Buffer, count);
    for (let row = index; row < index + count; row += 1) this.#compareWithEarlier(page, row);
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
    const { tiles, findings } = this.#options;
    const last = this.#position;
    const reasons: string[] = [];
    if (head !== null && head > last) reasons.push(`log_head states the last position ${head}`);
    if (tiles !== null && tiles.size > last) reasons.push(`${tiles.size} events are published`);
    const { next } = this.#roots;
    if (next !== null && next.size > last) {
      reasons.push(`${next.name} covers ${next.size} events`);
    }
    const published = Math.max(tiles?.size ?? 0, next?.size ?? 0);
    let cut: Cause | null = null;
    if (published > last) {
      const upTo = Math.max(published, head ?? 0);
      const missing = upTo === last + 1 ? `event ${upTo} is` : `events ${last + 1} to ${upTo} are`;
      const what = `${missing} missing at the end of the log: ${reasons.join(', ')}`;
      const fault = { in: 'events', position: last + 1, column: 'position', what } as const;
      cut = findings.reportCause(fault, { streams: [] });
      findings.leaveUnnamed(cut);
    } else if (head !== null && head !== last) {
      const what = `log_head states the last position ${head}, but the last event is at position ${last}`;
      findings.reportFault({ in: 'log_head', position: null, column: 'position', what });
    }
    await this.#roots.end(last, cut);
    this.#streams.end();
  }

  /** The cause, if the row with this leaf is missing at its published position. */
  causeOfMissing(leaf: Buffer): Cause | null {
    return this.#missing.causeOf(leaf);
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
    if (tiles !== null && first <= tiles.size && last >= tiles.size) return false;
    const { next } = this.#roots;
    if (next !== null && next.size <= last) return false;
    for (let n = 0; n < count; n += 1) {
      if (sound[index + n] === 0 || history.sizes.has(first + n)) return false;
      if (positions[index + n] !== first + n) return false;
    }
    return true;
  }

  #compareWithEarlier(page: CopiedPage, index: number): void {
    const isRight = this.#streams.addSound(page, index);
    if (!isRight) this.#streams.add(rowAt(page, index));
    const position = page.positions[index] as number;
    const [at, closed] = [page.times[index] as number, page.closed[index] as number];
    if (page.needed[index] !== 2 && this.#times.follows(position, at, closed)) return;
    this.#compareTime(rowAt(page, index));
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
      this.#checkAgainstEarlier(row);
      return;
    }
    this.#damaged.add(row, leaf, published, { wrong, previous: this.#previous() });
  }

  #checkAgainstEarlier(row: FoundRow): void {
    this.#damaged.learn(row);
    this.#streams.add(row);
    this.#compareTime(row);
  }

  #compareTime(row: FoundRow): void {
    const wrong = this.#times.reasonAgainst(row);
    if (wrong === null) return;
    const { position, what } = wrong;
    this.#options.findings.reportFault({ in: 'events', position, column: 'recorded_at', what });
  }
}
