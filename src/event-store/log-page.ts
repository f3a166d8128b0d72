import type pg from 'pg';
import type { SeenEvent } from './high-water-mark.ts';
import type { EventRow, StoredEvent } from './stored-event.ts';

/** A page of the log: a stretch's events of the wanted types, limited in number and size. */
export interface LogPage {
  readonly events: readonly StoredEvent[];
  /**
   * Log position that the page reaches, beyond its last event if others follow; `after` at the
   * head.
   */
  readonly position: number;
  /** True if the limit of events or bytes ended the page at its last event. */
  readonly isCut: boolean;
  /** Bytes of the stored data of its events. */
  readonly bytes: number;
  /**
   * Event at `position`; only for a page from memory. A database that lacks this event has another
   * log, and must not receive the page's data.
   */
  readonly basis?: SeenEvent;
}

export interface PageBounds {
  /** Position after which the page begins. */
  readonly after: number;
  /** Maximum number of events. */
  readonly limit: number;
  readonly types?: readonly string[] | undefined;
  /** Last position to read, if not the head of the log. */
  readonly upTo?: number | undefined;
  /** Types whose data is not read, since it may be large. Their events have `{}` instead. */
  readonly headersOf?: readonly string[] | undefined;
  /** Bytes of data up to which those types are read nevertheless; default: none is. */
  readonly headersAbove?: number | undefined;
}

/** Maximum stored data of a page's events. A larger event forms a page of its own. */
export const maxPageBytes = 8_388_608;

/** Number of positions to read for each wanted event, if other events lie between. */
const positionsPerEvent = 4;
const fewestPositions = 1_000;

/** Columns of an `EventRow`. */
export const eventColumns =
  'position, organisation_id, stream, version, event_id, type, schema, recorded_at, data, meta, leaf';

/**
 * The query for a page; `pageOf` reads its answer. The query limits the range of positions. For a
 * log that was never analysed, the planner estimates a range as a fraction of the table. It may
 * then read and sort the whole range rather than follow the primary key.
 */
export function logPageQuery(bounds: PageBounds): pg.QueryConfig {
  const { after, limit, types, headersOf, headersAbove } = bounds;
  const values: unknown[] = [after, limit, maxPageBytes, lookedAt(bounds)];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const wanted = types ? `AND type = ANY(${parameter(types)}) ` : '';
  const above = headersAbove ? ` AND octet_length(data) > ${parameter(headersAbove)}` : '';
  const data = headersOf
    ? `CASE WHEN type = ANY(${parameter(headersOf)})${above} THEN NULL ELSE data END`
    : 'data';
  const read = `coalesce(octet_length(${data}), 0)`;
  const columns = eventColumns.replace(/\bdata\b/, `${data} AS data`);
  // PostgreSQL stores large data outside its row. This query does not read such data of rows beyond
  // the end of the page. The head is of the same snapshot, so everything up to it is visible here.
  return {
    text:
      `SELECT head.position AS head, page.* FROM log_head AS head LEFT JOIN LATERAL (` +
      `SELECT ${columns}, octet_length(data) AS bytes, ${read} AS read, ` +
      `sum(${read}) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS through ` +
      `FROM events WHERE position > $1 AND position <= $4 ${wanted}` +
      'ORDER BY position LIMIT $2) AS page ON through - read < $3',
    values,
  };
}

/** A row of the answer. Without events in the page, all columns but the head are null. */
export type PageRow = { readonly head: number } & (
  | (EventRow & { readonly bytes: number; readonly through: number })
  | { readonly position: null }
);

/** The stored rows of a page. */
export type PageOfRows<Row = EventRow> = Omit<LogPage, 'events'> & {
  readonly rows: readonly Row[];
};

export function pageOf(
  bounds: PageBounds,
  answer: readonly PageRow[],
): PageOfRows<EventRow & { readonly bytes: number }> {
  const rows = answer
    .flatMap((row) => (row.position === null ? [] : [row]))
    .sort((one, other) => one.position - other.position);
  return { rows, ...endOfPage(bounds, answer[0]?.head ?? 0, rows, rows.at(-1)?.through ?? 0) };
}

/**
 * End of a page of these rows, which hold `through` bytes of data, in a log that ends at `head`.
 */
export function endOfPage(
  bounds: PageBounds,
  head: number,
  rows: readonly Pick<EventRow, 'position'>[],
  through: number,
): Omit<LogPage, 'events'> {
  const { after, limit } = bounds;
  const last = rows.at(-1);
  if (last !== undefined && (rows.length === limit || through >= maxPageBytes)) {
    return { position: last.position, isCut: true, bytes: through };
  }
  const position = Math.max(after, Math.min(head, lookedAt(bounds)));
  return { position, isCut: false, bytes: through };
}

/** The last position that the page may reach. */
export function lookedAt({ after, limit, types, upTo = Infinity }: PageBounds): number {
  const positions = types ? Math.max(limit * positionsPerEvent, fewestPositions) : limit;
  return Math.min(after + positions, upTo);
}

/** Reads pages until it has `limit` events, a page is cut for size, or the log ends. */
export async function readPages(
  readPage: (after: number, limit: number, types?: readonly string[]) => Promise<LogPage>,
  after: number,
  limit: number,
  types?: readonly string[],
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let from = after; ; ) {
    const { events, position, isCut } = await readPage(from, limit - found.length, types);
    found.push(...events);
    if (isCut || position === from) return found;
    from = position;
  }
}
