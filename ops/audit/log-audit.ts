import { streams } from '../../src/domain/streams.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { Checkpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { rootOf } from '../../src/transparency-log/tree/frontier.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import { tileWidth } from '../../src/transparency-log/tree/tile.ts';
import { AuditedTree } from './audited-tree.ts';
import type { Cause } from './causes.ts';
import { checkRow } from './check-row.ts';
import type { PastTree } from './checkpoint-anchor-audit.ts';
import { blockRows, bufferOf, type CopiedPage, hashesIn, leafBytes, rowAt } from './copied-row.ts';
import { DamagedRows } from './damaged-rows.ts';
import { DisputedLeaves } from './disputed-leaves.ts';
import type { Fault } from './fault.ts';
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

/** Missing positions that are looked at one by one. */
const widestGap = 1_000_000;
/** Missing events whose rows are looked for outside the positions of the log. */
const mostMissing = 10_000;

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
  /** Roots at the sizes that the history announced; null if unknown. */
  readonly #roots = new Map<number, readonly Buffer[] | null>();
  /** Missing events by their published leaves. */
  readonly #missing = new Map<string, Cause>();
  /** Tiles that differ from those below, while a leaf below is disputed. */
  #unlikeBelow: Fault[] = [];
  #next: NamedCheckpoint | null = null;
  /** Size of the last listed checkpoint that was compared. */
  #compared = -1;
  /** True if the first wrong root is listed: the others are counted. */
  #isRootShown = false;
  /** Faults of lines before the next row. */
  #skipped: Fault[] = [];
  #isStarted = false;
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
    const roots = this.#roots.get(size);
    if (roots === null) return null;
    return roots?.some((one) => one.equals(root)) ?? false;
  }

  /** A line of an export before the next row cannot be read, as the fault states. */
  skipLine(fault: Fault): void {
    this.#skipped.push(fault);
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
    this.#skipped = [];
    this.#previous = () => rowAt(page, index + count - 1);
    return count;
  }

  async add(row: FoundRow): Promise<void> {
    await this.#start();
    const { position } = row;
    const leaf = leafHash(leafInputOf(row));
    if (position <= this.#position) {
      this.#addExtra(row, leaf);
      return;
    }
    await this.#addMissing(position);
    this.#skipped = [];
    this.#position = position;
    const published = (await this.#options.tiles?.leafOf(row, leaf)) ?? null;
    this.#takeUnlikeBelow();
    const attempted = { in: 'events', position, what: 'the event' } as const;
    await this.#options.findings.attempt(
      attempted,
      () => this.#addRow(row, leaf, published),
      undefined,
    );
    this.#previous = () => row;
    await this.#checkRoots();
  }

  /**
   * Ends the audit after the last event.
   * @param head position in the row of the head; null if there is none to compare
   */
  async end(head: number | null): Promise<void> {
    await this.#start();
    const { tiles, findings } = this.#options;
    const last = this.#position;
    const reasons: string[] = [];
    if (head !== null && head > last) reasons.push(`log_head states the last position ${head}`);
    if (tiles !== null && tiles.size > last) reasons.push(`${tiles.size} events are published`);
    if (this.#next !== null && this.#next.size > last) {
      reasons.push(`${this.#next.name} covers ${this.#next.size} events`);
    }
    const published = Math.max(tiles?.size ?? 0, this.#next?.size ?? 0);
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
    for (let isFirst = true; this.#next !== null; isFirst = false) {
      const { name, size } = this.#next;
      const what = `${name} covers ${size} events, but the log has only ${last}`;
      const fault = { in: 'checkpoints', position: null, column: 'note', what } as const;
      if (cut !== null && !isFirst) findings.addConsequence(cut.fault, fault);
      await this.#advanceCheckpoint();
    }
    this.#streams.end();
  }

  /** The cause, if the row with this leaf is missing at its published position. */
  causeOfMissing(leaf: Buffer): Cause | null {
    return this.#missing.get(leaf.toString('latin1')) ?? null;
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
    if (this.#next !== null && this.#next.size <= last) return false;
    for (let n = 0; n < count; n += 1) {
      if (sound[index + n] === 0 || history.sizes.has(first + n)) return false;
      if (positions[index + n] !== first + n) return false;
    }
    return true;
  }

  #compareWithEarlier(page: CopiedPage, index: number): void {
    const isRight = this.#streams.addSound(page, index);
    if (!isRight) this.#streams.add(rowAt(page, index));
    // Events of ledgers are compared with their ledger's time, too.
    const { times, positions } = page;
    const [position, at] = [positions[index] as number, times[index] as number];
    if (page.needed[index] !== 2 && this.#times.follows(position, at)) return;
    this.#compareTime(rowAt(page, index));
  }

  async #start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#advanceCheckpoint();
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

  /** Reports the positions before a row that no row has, as one fault. */
  async #addMissing(position: number): Promise<void> {
    const first = this.#position + 1;
    if (position === first) return;
    const { tiles, findings } = this.#options;
    const count = position - first;
    const missing = count === 1 ? `event ${first} is` : `events ${first} to ${position - 1} are`;
    const [skipped = null] = this.#skipped;
    const isSkipped = skipped !== null && this.#skipped.length === count;
    const what = `${missing} missing${isSkipped ? `: ${skipped.what}` : ''}`;
    const fault = { in: 'events', position: first, column: 'position', what } as const;
    const cause = findings.reportCause(fault, { streams: [] });
    if (isSkipped) for (const one of this.#skipped) findings.withdraw(one, cause.fault);
    this.#damaged.note(cause);
    this.#streams.lose(cause, count);
    if (count > widestGap) {
      this.#tree.appendMissing(null);
      return;
    }
    for (this.#position = first; this.#position < position; this.#position += 1) {
      const at = { position: this.#position };
      const published = (await tiles?.leafOf(at, noLeaf)) ?? null;
      this.#takeUnlikeBelow();
      if (published !== null && this.#missing.size < mostMissing) {
        this.#missing.set(published.toString('latin1'), cause);
      }
      this.#tree.appendMissing(published);
      await this.#checkRoots();
    }
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

  /** Compares the tree with everything that states its root at the present size. */
  async #checkRoots(): Promise<void> {
    const size = this.#position;
    if (this.#options.history.sizes.has(size)) {
      const { own, other } = this.#tree.roots;
      this.#roots.set(size, this.#tree.hasUnknown ? null : [own, other]);
    }
    const { tiles } = this.#options;
    for (; this.#next !== null && this.#next.size <= size; await this.#advanceCheckpoint()) {
      if (this.#next.size === size) this.#checkRoot(this.#next);
    }
    if (tiles?.size === size && this.#compared !== size) {
      this.#checkRoot({ ...tiles.checkpoint, name: 'the newest checkpoint' });
    }
  }

  #checkRoot({ name, size, root }: NamedCheckpoint): void {
    const { findings } = this.#options;
    const what = `${name}: the root of the first ${size} events differs from the root in the checkpoint`;
    const fault = { in: 'checkpoints', position: null, column: 'note', what } as const;
    this.#compared = size;
    findings.compared.listedCheckpoints += 1;
    const { own, other } = this.#tree.roots;
    if (!this.#tree.hasUnknown && own.equals(root)) this.#settle('own', name);
    else if (!this.#tree.hasUnknown && other.equals(root)) this.#settle('other', name);
    else {
      const cause = this.#tree.hasUnknown ? this.#damaged.first : this.#disputes.first;
      if (cause !== null) findings.addConsequence(cause.fault, fault);
      else findings.reportWrongRoot(fault);
      return;
    }
    findings.rootAgrees();
    if (this.#damaged.first !== null && !this.#tree.root().equals(root)) {
      findings.addConsequence(this.#damaged.first.fault, fault, !this.#isRootShown);
      this.#isRootShown = true;
    }
  }

  #settle(right: 'own' | 'other', name: string): void {
    if (this.#disputes.isEmpty) return;
    this.#disputes.settle(right, name);
    this.#tree.settle(right);
    const { wrongTile } = this.#disputes;
    if (wrongTile !== null) this.#foldUnlikeBelow(wrongTile);
    this.#unlikeBelow = [];
  }

  #takeUnlikeBelow(): void {
    this.#unlikeBelow.push(...(this.#options.tiles?.takeUnlikeBelow() ?? []));
    const { wrongTile } = this.#disputes;
    if (wrongTile !== null) this.#foldUnlikeBelow(wrongTile);
    if (this.#disputes.isEmpty) this.#unlikeBelow = [];
  }

  #foldUnlikeBelow(because: Fault): void {
    const { findings } = this.#options;
    for (const fault of this.#unlikeBelow) {
      findings.withdraw(fault, because);
      findings.addConsequence(because, fault);
    }
    this.#unlikeBelow = [];
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
}

const noLeaf = Buffer.alloc(hashBytes);
