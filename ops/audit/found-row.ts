import type { EventRow } from '../../src/event-store/stored-event.ts';

/**
 * A row as it was found. Whoever changes rows may also drop the constraints of the table: a column that
 * holds nothing, or no value of its type, is empty here, and `damaged` says what is wrong with it. A key
 * of `damaged` is a column, or several separated by commas.
 */
export interface FoundRow extends EventRow {
  readonly damaged?: ReadonlyMap<string, string>;
}

/** Columns of text, besides `version`, `schema` and `leaf`. */
export const textColumns = [
  ...['organisation_id', 'stream', 'event_id', 'type', 'recorded_at', 'data', 'meta'],
] as const;

/** @param given faults that are known already, by column; `stored` holds nothing there */
export function foundRow(
  position: number,
  stored: Readonly<Record<string, unknown>>,
  given: ReadonlyMap<string, string> = undamaged,
): FoundRow {
  let damaged = given;
  const value = (column: string, kind: string, isOfKind: (value: unknown) => boolean) => {
    const found = stored[column];
    if (isOfKind(found)) return found;
    if (!damaged.has(column)) {
      const what = found == null ? 'it is NULL' : `it is no ${kind}`;
      damaged = new Map(damaged).set(column, what);
    }
    return null;
  };
  const text = (column: string) => String(value(column, 'text', isText) ?? '');
  const number = (column: string) => Number(value(column, 'integer', Number.isSafeInteger));
  const row = {
    position,
    organisation_id: stored.organisation_id === null ? null : text('organisation_id'),
    stream: text('stream'),
    version: number('version'),
    event_id: text('event_id'),
    type: text('type'),
    schema: number('schema'),
    recorded_at: text('recorded_at'),
    data: text('data'),
    meta: text('meta'),
    leaf: (value('leaf', 'hash', Buffer.isBuffer) ?? Buffer.alloc(0)) as Buffer,
  };
  return damaged.size === 0 ? row : { ...row, damaged };
}

const undamaged: ReadonlyMap<string, string> = new Map();
const isText = (value: unknown) => typeof value === 'string';

/** A row of which nothing but its position can be read. */
export function unreadableRow(position: number, reason: string): FoundRow {
  const columns = [...textColumns, 'version', 'schema', 'leaf'].join();
  const damaged = new Map([[columns, `the row cannot be read: ${reason}`]]);
  return { ...foundRow(position, { organisation_id: null }), damaged };
}

export function isDamaged({ damaged }: FoundRow, column: string): boolean {
  if (damaged === undefined) return false;
  return [...damaged.keys()].some(
    (columns) => columns === column || columns.split(',').includes(column),
  );
}
