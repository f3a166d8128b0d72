import type pg from 'pg';

/** How far the log is covered by its newest checkpoint on the ledger. */
export interface AnchoredSize {
  readonly size: number;
  /** Since the first event after it was recorded that is not about anchoring itself; 0 if there is none. */
  readonly lagSeconds: number;
}

/** Among the newest events of the log's own stream; of a checkpoint there are few. */
const lookBack = 100;

/** Null where no checkpoint was anchored lately. */
export async function readAnchoredSize(client: pg.ClientBase): Promise<AnchoredSize | null> {
  const { rows } = await client.query<{ size: string | number; next_at: string | null }>(
    `WITH log AS (SELECT stream FROM events WHERE position = 1),
     anchored AS (
       SELECT (newest.data::jsonb ->> 'size')::bigint AS size
       FROM (SELECT e.type, e.version, e.data FROM log JOIN events e USING (stream)
             ORDER BY e.version DESC LIMIT $1) AS newest
       WHERE newest.type = 'CheckpointAnchored' ORDER BY newest.version DESC LIMIT 1)
     SELECT a.size, (
       SELECT e.recorded_at FROM events e, log
       WHERE e.position > a.size AND e.stream <> log.stream AND e.stream NOT LIKE 'account-%'
       ORDER BY e.position LIMIT 1) AS next_at
     FROM anchored a`,
    [lookBack],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { size, next_at: nextAt } = row;
  const lagSeconds = nextAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(nextAt)) / 1_000);
  return { size: Number(size), lagSeconds };
}
