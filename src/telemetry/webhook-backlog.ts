import type pg from 'pg';

export interface WebhookBacklog {
  /** Deliveries due now at active endpoints that are not resting; counts up to `mostCounted`. */
  readonly due: number;
  /** Time since the oldest of these deliveries became due. */
  readonly oldestSeconds: number;
}

const mostCounted = 10_000;

/**
 * Reads the backlog of due deliveries by the index on them: the oldest delivery of each endpoint,
 * and no more rows than are counted.
 */
export async function readWebhookBacklog(client: pg.ClientBase): Promise<WebhookBacklog> {
  const { rows } = await client.query<{ due: string | number; oldest: number | null }>(
    `WITH RECURSIVE waiting AS (
       (SELECT webhook_id, due_at FROM webhook_deliveries WHERE due_at IS NOT NULL
        ORDER BY webhook_id, due_at LIMIT 1)
       UNION ALL
       SELECT next.webhook_id, next.due_at FROM waiting w CROSS JOIN LATERAL (
         SELECT d.webhook_id, d.due_at FROM webhook_deliveries d
         WHERE d.due_at IS NOT NULL AND d.webhook_id > w.webhook_id
         ORDER BY d.webhook_id, d.due_at LIMIT 1) AS next
     ), due AS (
       SELECT w.webhook_id, w.due_at FROM waiting w
       JOIN webhook_endpoints e ON e.webhook_id = w.webhook_id
       WHERE w.due_at <= now() AND e.active
         AND (e.resting_until IS NULL OR e.resting_until <= now())
     )
     SELECT extract(epoch FROM now() - (SELECT min(due_at) FROM due))::float AS oldest,
       (SELECT count(*) FROM (
          SELECT FROM due CROSS JOIN LATERAL (
            SELECT FROM webhook_deliveries d
            WHERE d.webhook_id = due.webhook_id AND d.due_at <= now() LIMIT $1) AS each
          LIMIT $1) AS counted) AS due`,
    [mostCounted],
  );
  const [row] = rows;
  return { due: Number(row?.due ?? 0), oldestSeconds: Math.max(0, row?.oldest ?? 0) };
}
