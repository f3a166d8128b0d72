import { type FileHandle, open } from 'node:fs/promises';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { OperatorError } from '../../../src/errors/operator-error.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { Findings } from '../findings/findings.ts';
import { formatRow, parseRow } from '../rows/exported-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { type Queryable, readRows } from '../rows/read-rows.ts';

interface ExportOptions {
  readonly database: Queryable;
  readonly file: string;
  /** Exports the events of this organisation alone; null: all. */
  readonly organisationId: OrganisationId | null;
  /** Decrypts the encrypted fields of a row; null if they stay encrypted. */
  readonly decrypt: ((row: EventRow) => Promise<object | undefined>) | null;
  /** Receives the rows that cannot be read or decrypted. */
  readonly findings: Findings;
  /** `head` is null if its row is missing. */
  readonly onPosition?: (position: number, head: number | null) => void;
}

const writeBytes = 1_048_576;
const tailBytes = 65_536;
/** Of every line (`formatRow`). */
const lineBegin = Buffer.from('{"position":');

/**
 * Writes the history up to the present head, one event per line. Resumes an existing file after its
 * last whole line, which must be of this log, and removes a partial line after a kill. Writes a
 * damaged row as far as it can be read. Memory is bounded. Returns the number of events written,
 * the position before the first of them, and the head.
 */
export async function exportLog(options: ExportOptions) {
  const { database, file, organisationId, findings, onPosition } = options;
  const head = await readHead(options);
  const handle = await open(file, 'a+', 0o600);
  let read = 0;
  try {
    const after = await resumeAfter(handle, options);
    read = after;
    let written = 0;
    let lines = '';
    for await (const row of readRows(database, { after, upTo: head ?? Number.MAX_SAFE_INTEGER })) {
      read = row.position;
      onPosition?.(read, head);
      if (organisationId !== null && row.organisation_id !== organisationId) continue;
      reportDamaged(row, findings);
      lines += `${formatRow(row, await decryptedData(row, options))}\n`;
      written += 1;
      if (lines.length < writeBytes) continue;
      await handle.appendFile(lines);
      lines = '';
    }
    await handle.appendFile(lines);
    await handle.sync();
    return { written, after, head: head ?? read };
  } catch (cause) {
    if (read === 0) throw cause;
    const failed = `the export to ${file} failed after position ${read}`;
    throw new Error(`${failed}; run the same command again to resume it`, { cause });
  } finally {
    await handle.close();
  }
}

/** Null if the row is missing; all events are exported then. */
async function readHead({ database, findings }: ExportOptions): Promise<number | null> {
  const { rows } = await database.query<{ head: number | null }>(
    'SELECT max(position) AS head FROM log_head',
  );
  const head = rows[0]?.head ?? null;
  if (head === null) {
    const what = 'the row that states the last position is missing, so all events are exported';
    findings.reportFault({ in: 'log_head', position: null, column: 'position', what });
  }
  return head === null ? null : Math.min(head, Number.MAX_SAFE_INTEGER);
}

function reportDamaged(
  { position, damaged = new Map() }: FoundRow,
  { reportFault }: Findings,
): void {
  for (const [column, what] of damaged) reportFault({ in: 'events', position, column, what });
}

async function decryptedData(
  row: FoundRow,
  { decrypt, findings }: ExportOptions,
): Promise<object | undefined> {
  if (decrypt === null) return undefined;
  const attempted = { in: 'events', position: row.position, column: 'data' } as const;
  const what = 'the encrypted fields of this event (exported without decryption)';
  return findings.attempt({ ...attempted, what }, () => decrypt(row), undefined);
}

/**
 * Position of the last whole line, after which the file is cut; 0 if there is none. Throws if the file is
 * no export, or that line not of this log, and leaves the file as it was.
 */
async function resumeAfter(handle: FileHandle, options: ExportOptions): Promise<number> {
  const { database, file, organisationId } = options;
  const foreign = () =>
    new OperatorError(
      `${file} does not end with an event of this export: choose another file with --out`,
    );
  if (!(await beginsAsExport(handle))) throw foreign();
  const { line, end } = await lastLine(handle);
  if (line === null) {
    await handle.truncate(0);
    return 0;
  }
  const last = parseRow(line);
  const { rows } = await database.query<Pick<FoundRow, 'organisation_id'> & { leaf: Buffer }>(
    `SELECT coalesce(substring(leaf FROM 1 FOR 64), '') AS leaf, organisation_id
     FROM events WHERE position = $1`,
    [last?.position ?? 0],
  );
  const [row] = rows;
  const isOf = organisationId === null || row?.organisation_id === organisationId;
  if (last === null || !row?.leaf.equals(last.leaf) || !isOf) throw foreign();
  await handle.truncate(end);
  return last.position;
}

/** True for an empty file, and for one that begins with the first line of an export, or a part of it. */
async function beginsAsExport(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(lineBegin.length), 0, null, 0);
  return buffer.subarray(0, bytesRead).equals(lineBegin.subarray(0, bytesRead));
}

/** Last complete line, without its line feed, and the offset after it. */
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
