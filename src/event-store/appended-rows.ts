import type { EncodedEvent } from './encode.ts';
import type { WindowRow } from './log-window.ts';

const defaults = { events: 4_000, bytes: 8_388_608, ageMs: 2_000 } as const;

type AppendedLimits = Readonly<Record<keyof typeof defaults, number>>;

/**
 * Rows that this process appended, until the reader of the log has taken them. So it need not read
 * them from the database. `ageMs` limits the time for which confidential data is kept: a timer
 * drops rows that nobody takes. `now` is `performance.now()`.
 */
export class AppendedRows {
  readonly #limits: AppendedLimits;
  readonly #rows = new Map<number, { readonly row: WindowRow; readonly addedAt: number }>();
  #bytes = 0;
  #addedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<AppendedLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Adds the rows of an append that the database has confirmed. */
  add(firstPosition: number, rows: readonly EncodedEvent[], now: number): void {
    this.#addedAt = now;
    for (const [index, encoded] of rows.entries()) {
      const position = firstPosition + index;
      const row = { ...encoded, position, bytes: Buffer.byteLength(encoded.data) };
      this.#drop(position);
      this.#rows.set(position, { row, addedAt: now });
      this.#bytes += heldBytes(row);
    }
    this.#trim(now);
    this.#trimLater(now);
  }

  /** True if this process has appended recently. */
  isActive(now: number): boolean {
    return now - this.#addedAt <= this.#limits.ageMs;
  }

  /** Forgets the rows up to a position. */
  forget(upTo: number): void {
    for (const position of this.#rows.keys()) if (position <= upTo) this.#drop(position);
  }

  /** The rows after a position up to another one; null if one of them is missing. */
  stretch(after: number, last: number): readonly WindowRow[] | null {
    const rows: WindowRow[] = [];
    for (let position = after + 1; position <= last; position += 1) {
      const row = this.#rows.get(position)?.row;
      if (row === undefined) return null;
      rows.push(row);
    }
    return rows;
  }

  #trim(now: number): void {
    const { events, bytes, ageMs } = this.#limits;
    for (const [position, { addedAt }] of this.#rows) {
      const fits = this.#rows.size <= events && this.#bytes <= bytes && now - addedAt <= ageMs;
      if (fits) break;
      this.#drop(position);
    }
  }

  /** Trims when the oldest row is too old, until no row is left. Keeps no process alive. */
  #trimLater(now: number): void {
    const [oldest] = this.#rows.values();
    if (this.#timer !== undefined || oldest === undefined) return;
    const trim = () => {
      this.#timer = undefined;
      const later = performance.now();
      this.#trim(later);
      this.#trimLater(later);
    };
    const delayMs = oldest.addedAt + this.#limits.ageMs + 1 - now;
    this.#timer = setTimeout(trim, delayMs).unref();
  }

  #drop(position: number): void {
    const held = this.#rows.get(position);
    if (held === undefined) return;
    this.#bytes -= heldBytes(held.row);
    this.#rows.delete(position);
  }
}

/** Size of the texts that a row keeps in memory: also of the plain text of its encrypted fields. */
function heldBytes({ bytes, meta, plain }: WindowRow): number {
  return bytes + Buffer.byteLength(meta) + (plain ? Buffer.byteLength(plain.text) : 0);
}
