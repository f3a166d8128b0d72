import { type FileHandle, open } from 'node:fs/promises';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { formatRow, parseRow } from './exported-row.ts';
import { type Queryable, readRows } from './read-rows.ts';

export interface ExportOptions {
  readonly database: Queryable;
  readonly file: string;
  /** Its events alone; null: all. */
  readonly organisationId: OrganisationId | null;
  /** Opens the sealed fields of a row; null where they stay sealed. */
  readonly unseal: ((row: EventRow) => Promise<object | undefined>) | null;
  readonly onPosition?: (position: number, head: number) => void;
}

const writeBytes = 1_048_576;
const tailBytes = 65_536;

/**
 * Writes the history up to the head that it has now, an event a line. A file that is there is gone on
 * with after its last whole line, which must be of this log; what a kill left of a line is dropped.
 * Memory is bounded. Returns how many events it wrote, and after which position.
 */
export async function exportLog(options: ExportOptions) {
  const { database, file, organisationId, unseal, onPosition } = options;
  const { rows } = await database.query<{ head: number }>('SELECT position AS head FROM log_head');
  const head = rows[0]?.head ?? 0;
  const handle = await open(file, 'a+', 0o600);
  try {
    const after = await resumeAfter(handle, options);
    let written = 0;
    let lines = '';
    for await (const row of readRows(database, { after, upTo: head })) {
      onPosition?.(row.position, head);
      if (organisationId !== null && row.organisation_id !== organisationId) continue;
      lines += `${formatRow(row, await unseal?.(row))}\n`;
      written += 1;
      if (lines.length < writeBytes) continue;
      await handle.appendFile(lines);
      lines = '';
    }
    await handle.appendFile(lines);
    await handle.sync();
    return { written, after, head };
  } finally {
    await handle.close();
  }
}

/** The position of the last whole line; 0 for an empty file. Throws if it is none of this log's. */
async function resumeAfter(handle: FileHandle, options: ExportOptions): Promise<number> {
  const { database, file, organisationId } = options;
  const { line, end } = await lastLine(handle);
  await handle.truncate(end);
  if (line === null) return 0;
  const last = parseRow(line);
  const { rows } = await database.query<EventRow>(
    'SELECT leaf, organisation_id FROM events WHERE position = $1',
    [last?.position ?? 0],
  );
  const [row] = rows;
  const isOurs =
    row !== undefined &&
    last?.leaf.equals(row.leaf) === true &&
    (organisationId === null || row.organisation_id === organisationId);
  if (!isOurs) {
    throw new Error(`${file} does not end with an event of this export: give another --out`);
  }
  return last.position;
}

/** The last line that ends, without its end, and where it ends. */
async function lastLine(handle: FileHandle) {
  const { size } = await handle.stat();
  let tail = Buffer.alloc(0);
  for (let from = size; ; ) {
    const last = tail.lastIndexOf('\n');
    const before = last <= 0 ? -1 : tail.lastIndexOf('\n', last - 1);
    if (from === 0 || before >= 0) {
      if (last < 0) return { line: null, end: 0 };
      return { line: tail.subarray(before + 1, last).toString('utf8'), end: from + last + 1 };
    }
    const length = Math.min(tailBytes, from);
    const chunk = Buffer.alloc(length);
    from -= length;
    await handle.read(chunk, 0, length, from);
    tail = Buffer.concat([chunk, tail]);
  }
}
