import type { ReadRow } from './decode.ts';
import type { SizedHeader } from './event-store.ts';
import type { SeenEvent } from './high-water-mark.ts';
import { endOfPage, lookedAt, maxPageBytes, type PageBounds, type PageOfRows } from './log-page.ts';

/** A stored row, and the size of its stored data, also if `data` is null. */
export type WindowRow = ReadRow & { readonly bytes: number; readonly leaf: Buffer };

export interface WindowLimits {
  readonly events: number;
  /** Maximum size of stored data. */
  readonly bytes: number;
  readonly ageMs: number;
}

/** A stretch of the log as it is stored. */
export interface Stretch {
  /** All rows of the stretch, or fewer if the database lacks some. */
  readonly rows: readonly WindowRow[];
  /** Position that the stretch reaches. */
  readonly position: number;
  /** Leaf of the event before the stretch; null if the database has none at that position. */
  readonly leafBefore: Buffer | null;
}

/** The newest rows read from the log, in memory. Positions have no gaps. */
export class LogWindow {
  readonly #limits: WindowLimits;
  readonly #rows: { readonly row: WindowRow; readonly addedAt: number }[] = [];
  #bytes = 0;
  #end: number;

  /** Creates an empty window at a log position. */
  constructor(position: number, limits: WindowLimits) {
    this.#end = position;
    this.#limits = limits;
  }

  /** Position after which the window begins. */
  get start(): number {
    return this.#end - this.#rows.length;
  }

  /** Position of its last row. */
  get end(): number {
    return this.#end;
  }

  /**
   * Adds the stretch of the log from the window's end to `position`. If `rows` are not the whole
   * stretch, the window is then empty at `position`. If the stretch does not follow the window's
   * last event, earlier rows are dropped, so that all rows are of one log.
   */
  add({ rows, position, leafBefore }: Stretch, now: number): void {
    const last = this.#rows.at(-1)?.row;
    if (last !== undefined && !leafBefore?.equals(last.leaf)) this.#drop(this.#rows.length);
    if (rows.length !== position - this.#end) this.#drop(this.#rows.length);
    else {
      for (const row of rows) {
        this.#rows.push({ row, addedAt: now });
        this.#bytes += heldBytes(row);
      }
    }
    this.#end = position;
    this.trim(now);
  }

  /** Drops the oldest rows that are beyond its limits. */
  trim(now: number): void {
    const { events, bytes, ageMs } = this.#limits;
    let left = this.#rows.length;
    let leftBytes = this.#bytes;
    const first = this.#rows.findIndex(({ row, addedAt }) => {
      if (left <= events && leftBytes <= bytes && now - addedAt <= ageMs) return true;
      left -= 1;
      leftBytes -= heldBytes(row);
      return false;
    });
    this.#drop(first < 0 ? this.#rows.length : first);
  }

  /**
   * The page that the store would read from a log that ends with the window; null if the window
   * lacks rows of it.
   */
  page(bounds: PageBounds): PageOfRows<ReadRow> | null {
    const { after, limit, types, headersOf = [] } = bounds;
    if (after < this.start || after > this.#end) return null;
    const wanted = types && new Set(types);
    const last = Math.min(lookedAt(bounds), this.#end);
    const rows: ReadRow[] = [];
    let through = 0;
    for (let position = after + 1; position <= last; position += 1) {
      if (rows.length === limit || through >= maxPageBytes) break;
      const row = this.#at(position);
      if (wanted && !wanted.has(row.type)) continue;
      const isHeader = headersOf.includes(row.type);
      if (row.data === null && !isHeader) return null;
      if (!isHeader) through += row.bytes;
      rows.push(isHeader && row.data !== null ? { ...row, data: null } : row);
    }
    const end = endOfPage(bounds, this.#end, rows, through);
    if (end.position === after) return { rows, ...end };
    const { position, leaf } = this.#at(end.position);
    return { rows, ...end, basis: { position, leaf } };
  }

  /**
   * The window's last event, if none of those after a position has one of these types. Null if the
   * window lacks one of them, or if there are none.
   */
  idleEnd(after: number, types: ReadonlySet<string>): SeenEvent | null {
    if (after < this.start || after >= this.#end) return null;
    for (let position = after + 1; position <= this.#end; position += 1) {
      if (types.has(this.#at(position).type)) return null;
    }
    const { position, leaf } = this.#at(this.#end);
    return { position, leaf };
  }

  /** The row at a position, if the window holds it with its data. */
  rowAt(position: number): ReadRow | null {
    const row = this.#rows[position - this.start - 1]?.row;
    return row === undefined || row.data === null ? null : row;
  }

  /** Headers of the window's rows after a position: at most `limit`. */
  headers(after: number, limit: number): readonly SizedHeader[] {
    const offset = after - this.start;
    return this.#rows
      .slice(offset, offset + limit)
      .map(({ row: { position, stream, type, bytes } }) => ({ position, stream, type, bytes }));
  }

  #drop(count: number): void {
    for (const { row } of this.#rows.splice(0, count)) this.#bytes -= heldBytes(row);
  }

  #at(position: number): WindowRow {
    const kept = this.#rows[position - this.start - 1];
    if (kept === undefined) throw new Error(`the window does not hold position ${position}`);
    return kept.row;
  }
}

function heldBytes({ data, bytes }: WindowRow): number {
  return data === null ? 0 : bytes;
}
