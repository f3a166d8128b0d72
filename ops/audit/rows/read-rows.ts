import type pg from 'pg';
import { errorMessage } from '../../terminal/error-message.ts';
import { type FoundRow, foundRow, textColumns, unreadableRow } from './found-row.ts';

/** A pool, or a connection with a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

interface RowRange {
  readonly after?: number;
  readonly upTo: number;
  /** Null for all. */
  readonly types?: readonly string[] | null;
}

/** A range of the log up to a position: its rows of the wanted types, possibly none. */
interface RowPage {
  readonly rows: readonly FoundRow[];
  readonly position: number;
}

const pagePositions = 1_000;
/** Positions of a page if only some types are wanted. */
const widestPage = 4_000;
const pageRows = 2 * widestPage;
const pageBytes = 8_388_608;
/** Consecutive unreadable rows after which the whole table counts as unreadable. */
const mostUnreadable = 1_000;
/** The largest event that the service accepts has less than a third of this. */
const mostColumnBytes = 67_108_864;

/** Yields the stored rows of the log in order, in bounded memory. */
export async function* readRows(database: Queryable, range: RowRange): AsyncGenerator<FoundRow> {
  for await (const { rows } of readRowPages(database, range)) yield* rows;
}

/**
 * Yields the rows page by page. A row that the database cannot read, such as on a damaged disk,
 * becomes an `unreadableRow`. Reading ever shorter ranges isolates it. Rejects if the table as a
 * whole cannot be read.
 */
export async function* readRowPages(
  database: Queryable,
  { after = 0, upTo, types = null }: RowRange,
): AsyncGenerator<RowPage> {
  const widest = types === null ? pagePositions : widestPage;
  let width = widest;
  let unreadable = 0;
  for (let position = after; position < upTo; ) {
    const through = Math.min(upTo, position + width);
    const page = await readPage(database, { after: position, through, types }).catch((error) => {
      if (!isOfRow(error) || unreadable === mostUnreadable) throw error;
      if (width > 1) return null;
      unreadable += 1;
      return { rows: [unreadableRow(through, errorMessage(error))], position: through };
    });
    if (page === null) {
      width = Math.ceil(width / 2);
      continue;
    }
    yield page;
    position = page.rows.length > 0 ? page.position : await nextPosition(database, page, upTo);
    if (width > 1) unreadable = 0;
    width = Math.min(widest, width * 2);
  }
}

interface Stretch {
  readonly after: number;
  readonly through: number;
  readonly types: readonly string[] | null;
}

type StoredRow = Readonly<Record<string, unknown>> & {
  readonly position: number;
  readonly oversized: readonly string[];
  readonly read_bytes: number;
};

async function readPage(database: Queryable, { after, through, types }: Stretch): Promise<RowPage> {
  const { rows } = await database.query<StoredRow>(
    `SELECT position, version, schema, ${boundedColumns}, oversized, read_bytes::float8 FROM (
       SELECT *, sum(bytes) OVER (ORDER BY position, version ROWS UNBOUNDED PRECEDING) AS read_bytes
       FROM (SELECT *, ${bytes} AS bytes, ${oversized} AS oversized FROM events
             WHERE position > $1 AND position <= $2 ${types === null ? '' : 'AND type = ANY ($3)'}
             ORDER BY position, version LIMIT ${pageRows}) page
     ) counted WHERE read_bytes - bytes < ${pageBytes} ORDER BY position, version`,
    [after, through, ...(types === null ? [] : [types])],
  );
  const last = rows.at(-1);
  const isCut = last !== undefined && (last.read_bytes >= pageBytes || rows.length === pageRows);
  return { rows: rows.map(toFound), position: isCut ? last.position : through };
}

const sizedColumns = [...textColumns, 'leaf'];
/** Longer values are not read: the driver could not take them, and the program would end. */
const boundedColumns = sizedColumns
  .map((name) => `CASE WHEN NOT '${name}' = ANY (oversized) THEN ${name} END AS ${name}`)
  .join();
const bytes = sizedColumns.map((name) => `coalesce(octet_length(${name}), 0)::bigint`).join(' + ');
const oversized = `array_remove(ARRAY[${sizedColumns
  .map((name) => `CASE WHEN octet_length(${name}) > ${mostColumnBytes} THEN '${name}' END`)
  .join()}], NULL)`;

function toFound({ position, oversized: names, ...stored }: StoredRow): FoundRow {
  const what = `the value is longer than ${mostColumnBytes} bytes, the limit of an event`;
  return foundRow(position, stored, new Map(names.map((name) => [name, what])));
}

/** Position before the next row: the page's own, a later one before a gap, `upTo` at the end. */
async function nextPosition(
  database: Queryable,
  { position }: RowPage,
  upTo: number,
): Promise<number> {
  const { rows } = await database.query<{ next: number | null }>(
    'SELECT min(position) AS next FROM events WHERE position > $1 AND position <= $2',
    [position, upTo],
  );
  const next = rows[0]?.next ?? null;
  return next === null ? upTo : next - 1;
}

/**
 * SQLSTATE classes of damaged data: 22 data exceptions, 54 limits, XX damage found by PostgreSQL.
 */
function isOfRow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|54|XX)/.test(String(error.code));
}
