import type { EventRow } from '../../../src/event-store/stored-event.ts';

/**
 * A row as found. An attacker may also drop the constraints of the table: a null column, or a value
 * of the wrong type, is empty here, and `damaged` states the reason. A key of `damaged` is a
 * column, or several separated by commas.
 */
export interface FoundRow extends EventRow {
  readonly damaged?: ReadonlyMap<string, string>;
}

/** Text columns; the others are `version`, `schema` and `leaf`. */
export const textColumns = [
  ...['organisation_id', 'stream', 'event_id', 'type', 'recorded_at', 'data', 'meta'],
] as const;

/** @param given known faults by column; `stored` has no value for those columns */
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
      const what = found == null ? 'the value is NULL' : `the value is not of type ${kind}`;
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

/** A row of which only the position can be read. */
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
