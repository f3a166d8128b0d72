import type pg from 'pg';

/** Position of the live version of a reader of the log. */
export interface ReaderPosition {
  readonly name: string;
  readonly position: number;
  readonly head: number;
  /** Time since the first unread event was recorded; 0 if there is none. */
  readonly lagSeconds: number;
}

/**
 * Reads the checkpoints with these names, and for each of them one event of the log, by its key.
 */
export async function readPositions(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<readonly ReaderPosition[]> {
  const { rows } = await client.query<{
    name: string;
    position: string | number;
    head: string | number;
    next_at: string | null;
  }>(
    `SELECT c.name, c.position, h.position AS head, e.recorded_at AS next_at
     FROM checkpoints c CROSS JOIN log_head h LEFT JOIN events e ON e.position = c.position + 1
     WHERE c.status = 'live' AND c.name = ANY($1) ORDER BY c.name`,
    [names],
  );
  const now = Date.now();
  return rows.map(({ name, position, head, next_at: nextAt }) => ({
    name,
    position: Number(position),
    head: Number(head),
    lagSeconds: nextAt === null ? 0 : Math.max(0, (now - Date.parse(nextAt)) / 1_000),
  }));
}
