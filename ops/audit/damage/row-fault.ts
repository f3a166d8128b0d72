import { decodeTime } from 'ulid';
import { isUlid } from '../../../src/domain/ulid.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { FoundRow } from '../rows/found-row.ts';
import type { AlteredColumn } from './altered-column.ts';

/** Columns of a row that a change may be in, and the reason for people. */
export interface RowFault {
  readonly column: string;
  readonly what: string;
}

/** The clock of the id is that of the time, a moment before. */
const idToleranceMs = 60_000;
const keptMetas = 64;

/** Metadata that was found in sound rows; most events have the same. */
export class SeenMetas {
  readonly #seen = new Set<string>();

  add(meta: string): void {
    if (this.#seen.size < keptMetas) this.#seen.add(meta);
  }

  has(meta: string): boolean {
    return this.#seen.has(meta);
  }
}

/**
 * Columns in which the change of a row may be, if no single original value was found. All types,
 * schemas and owners of the neighbourhood were tried then. Columns that agree with other columns or
 * events are left out, as far as one column alone was changed.
 */
export function possibleColumns(
  row: FoundRow,
  context: { readonly isVersionInTurn: boolean; readonly isMetaKnown: boolean },
): string {
  const id = isUlid(row.event_id) ? decodeTime(row.event_id) : Number.NaN;
  if (Math.abs(id - Date.parse(row.recorded_at)) > idToleranceMs) return 'event_id,recorded_at';
  if (!context.isVersionInTurn) return 'stream,version,data';
  return context.isMetaKnown ? 'data' : 'data,meta';
}

/**
 * One fault for all that is wrong with a row.
 * @param wrong columns with impossible values
 * @param altered the column whose original value is proven
 * @param sentence states that the row and a leaf differ; null if they agree
 */
export function rowFault({
  wrong,
  altered,
  sentence,
  possible,
}: {
  readonly wrong: ReadonlyMap<string, string>;
  readonly altered: AlteredColumn | null;
  readonly sentence: string | null;
  readonly possible: string;
}): RowFault {
  const was = altered === null ? '' : `; the original value was ${altered.was}`;
  const known = altered === null ? wrong : only(wrong, altered.column);
  if (known.size === 0 || sentence === null) {
    const column = altered?.column ?? (known.size > 0 ? [...known.keys()].join() : possible);
    return { column, what: `${sentence ?? inWords(known)}${was}` };
  }
  return { column: [...known.keys()].join(), what: `${inWords(known)}${was}` };
}

function only(wrong: ReadonlyMap<string, string>, column: string): ReadonlyMap<string, string> {
  const own = wrong.get(column);
  return own === undefined ? new Map() : new Map([[column, own]]);
}

function inWords(wrong: ReadonlyMap<string, string>): string {
  if (wrong.size === 1) return [...wrong.values()].join();
  return [...wrong].map(([column, what]) => `${column}: ${what}`).join('; ');
}

/** The row with the original value of its altered column, as far as the value is known. */
export function repaired(row: FoundRow, altered: AlteredColumn | null): EventRow {
  if (altered?.column === 'version') return { ...row, version: Number(altered.was) };
  if (altered?.column === 'stream' || altered?.column === 'type') {
    return { ...row, [altered.column]: altered.was };
  }
  return row;
}
