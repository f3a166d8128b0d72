import type pg from 'pg';
import type { EventRow, StoredEvent } from './stored-event.ts';

/** A stretch of the log: its events of the wanted types, at most so many or so large. */
export interface LogPage {
  readonly events: readonly StoredEvent[];
  /** The position that it reaches, beyond the last event where others follow; `after` at the head. */
  readonly position: number;
  /** Whether it ends with its last event for their number or size. */
  readonly isCut: boolean;
}

export interface PageBounds {
  /** The position that it begins after. */
  readonly after: number;
  /** Of its events. */
  readonly limit: number;
  readonly types?: readonly string[] | undefined;
  /** The last position that is looked at, if not the head of the log. */
  readonly upTo?: number | undefined;
  /** Types whose data is not read, since it may be large: the events have `{}` instead. */
  readonly headersOf?: readonly string[] | undefined;
}

/** Of the stored data of the events of a page; a larger one goes alone. */
export const maxPageBytes = 8_388_608;

/** How many positions are looked at for each event that is wanted, where others lie between. */
const positionsPerEvent = 4;
const fewestPositions = 1_000;

/** Columns of an `EventRow`. */
export const eventColumns =
  'position, organisation_id, stream, version, event_id, type, schema, recorded_at, data, meta, leaf';

/**
 * The query for a page, answered by `pageOf`. It looks at so many positions and no more: of a log
 * that was never analysed the planner takes a range for a part of the whole, and may read and sort
 * all that is in it rather than follow the primary key.
 */
export function pageQuery(bounds: PageBounds): pg.QueryConfig {
  const { after, limit, types, headersOf } = bounds;
  const values: unknown[] = [after, limit, maxPageBytes, lookedAt(bounds)];
  const place = (value: unknown) => `$${values.push(value)}`;
  const wanted = types ? `AND type = ANY(${place(types)}) ` : '';
  const data = headersOf
    ? `CASE WHEN type = ANY(${place(headersOf)}) THEN NULL ELSE data END`
    : 'data';
  const bytes = `coalesce(octet_length(${data}), 0)`;
  const columns = eventColumns.replace(/\bdata\b/, `${data} AS data`);
  // What is too large to be kept in its row is not even read here where the page ends before it.
  // The head is of the same moment: everything up to it is visible here.
  return {
    text:
      `SELECT head.position AS head, page.* FROM log_head AS head LEFT JOIN LATERAL (` +
      `SELECT ${columns}, ${bytes} AS bytes, ` +
      `sum(${bytes}) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS through ` +
      `FROM events WHERE position > $1 AND position <= $4 ${wanted}` +
      'ORDER BY position LIMIT $2) AS page ON through - bytes < $3',
    values,
  };
}

/** A row of the answer; all but the head is null where the page holds no event. */
export type PageRow = { readonly head: number } & (
  | (EventRow & { readonly through: number })
  | { readonly position: null }
);

/** The stored rows of a page. */
export type PageOfRows = Omit<LogPage, 'events'> & { readonly rows: readonly EventRow[] };

export function pageOf(bounds: PageBounds, answer: readonly PageRow[]): PageOfRows {
  const { after, limit } = bounds;
  const head = answer[0]?.head ?? 0;
  const rows = answer
    .flatMap((row) => (row.position === null ? [] : [row]))
    .sort((one, other) => one.position - other.position);
  const last = rows.at(-1);
  if (last !== undefined && (rows.length === limit || last.through >= maxPageBytes)) {
    return { rows, position: last.position, isCut: true };
  }
  return { rows, position: Math.max(after, Math.min(head, lookedAt(bounds))), isCut: false };
}

function lookedAt({ after, limit, types, upTo = Infinity }: PageBounds): number {
  const positions = types ? Math.max(limit * positionsPerEvent, fewestPositions) : limit;
  return Math.min(after + positions, upTo);
}

/** Pages one after the other until there are `limit` events, or large ones, or no more. */
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
