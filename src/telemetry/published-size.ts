import type pg from 'pg';

/** How far the log is covered by its newest published checkpoint. */
export interface PublishedSize {
  readonly size: number;
  /** Since the first event that it does not cover was recorded; 0 if it covers all. */
  readonly lagSeconds: number;
}

/** Null where no checkpoint was ever published. */
export async function readPublishedSize(client: pg.ClientBase): Promise<PublishedSize | null> {
  const { rows } = await client.query<{ size: string | number; next_at: string | null }>(
    `SELECT p.size, e.recorded_at AS next_at
     FROM (SELECT size FROM published_checkpoints ORDER BY number DESC LIMIT 1) p
     LEFT JOIN events e ON e.position = p.size + 1`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { size, next_at: nextAt } = row;
  const lagSeconds = nextAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(nextAt)) / 1_000);
  return { size: Number(size), lagSeconds };
}
