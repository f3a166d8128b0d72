import type { LogRestored } from '../../src/domain/log/events.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import type { Queryable } from './read-rows.ts';

/** What a log says of itself that is needed before its rows are gone through. */
export interface LogHistory {
  /** Null for a log that does not begin as one. */
  readonly logId: string | null;
  /** In the order of the log. */
  readonly restores: readonly Restore[];
  /** At which its root will be asked for. */
  readonly sizes: ReadonlySet<number>;
}

export interface Restore {
  readonly position: number;
  readonly data: LogRestored['data'];
}

type Row = Pick<EventRow, 'position' | 'type' | 'data'>;

const types = ['LogOpened', 'LogRestored', 'CheckpointRequested', 'CheckpointAnchored'];
const pageSize = 500;

/** Of what is not as it was written nothing is taken: that is told where the rows are gone through. */
export async function readHistory(rows: AsyncIterable<Row>): Promise<LogHistory> {
  let logId: string | null = null;
  const restores: Restore[] = [];
  const sizes = new Set<number>();
  for await (const { position, type, data: text } of rows) {
    const data = parse(text);
    if (type === 'LogOpened' && position === 1 && typeof data?.logId === 'string') {
      logId = data.logId;
    } else if (type === 'LogRestored' && Number.isSafeInteger(data?.epoch)) {
      const restored = data as unknown as LogRestored['data'];
      restores.push({ position, data: restored });
      sizes.add(Number(restored.keptSize));
    } else if (types.includes(type)) sizes.add(Number(data?.size));
  }
  return { logId, restores, sizes };
}

/** Whether a line of an export may be of such an event. */
export function isOfHistory(line: string): boolean {
  return types.some((type) => line.includes(`"${type}"`));
}

/** The events of the log's own stream that say it, up to a position. */
export async function* ownRows(database: Queryable, upTo: number): AsyncGenerator<Row> {
  for (let version = 0; ; ) {
    const { rows } = await database.query<Row & { readonly version: number }>(
      `SELECT position, version, type, data FROM events
       WHERE stream = (SELECT stream FROM events WHERE position = 1)
         AND version > $1 AND position <= $2 AND type = ANY ($3)
       ORDER BY version LIMIT ${pageSize}`,
      [version, upTo, types],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    version = last.version;
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
