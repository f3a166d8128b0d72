import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { encodeTime } from 'ulid';
import { streams } from '../../domain/streams.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import type { WebhookEventKind } from '../../domain/webhook/event-kind.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type {
  Delivery,
  DeliveryList,
  DeliveryPage,
  DeliveryStatus,
  DeliveryTrouble,
} from '../../webhooks/contract.ts';

/** PostgreSQL channel that announces due deliveries: a hint to look now, never a guarantee. */
export const deliveriesChannel = 'proofmark_deliveries';

/** The endpoint's deliveries, newest first; `page` counts from 1. */
export async function readDeliveries(
  pool: pg.Pool,
  webhookId: WebhookId,
  { page, limit }: DeliveryPage,
): Promise<DeliveryList> {
  const counted = await pool.query<{ total: number }>(
    'SELECT count(*) AS total FROM webhook_deliveries WHERE webhook_id = $1',
    [webhookId],
  );
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_deliveries d WHERE webhook_id = $1
     ORDER BY id DESC LIMIT $2 OFFSET $3`,
    [webhookId, limit, (page - 1) * limit],
  );
  return { items: rows.map(toDelivery), total: counted.rows[0]?.total ?? 0 };
}

/** The last attempted delivery of each endpoint; absent if there is none in the delivery log. */
export async function lastDeliveries(
  pool: pg.Pool,
  webhookIds: readonly WebhookId[],
): Promise<ReadonlyMap<WebhookId, Delivery>> {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT ${columns} FROM webhook_endpoints e JOIN webhook_deliveries d ON d.id = e.last_delivery_id
     WHERE e.webhook_id = ANY($1::text[])`,
    [webhookIds],
  );
  return new Map(rows.map((row) => [row.webhook_id, toDelivery(row)]));
}

/**
 * Makes a delivery due now, with a new schedule, and ends its endpoint's pause. A delivery under
 * way continues, and its outcome counts. Null if the endpoint has no such delivery.
 */
export async function rescheduleDelivery(
  pool: pg.Pool,
  webhookId: WebhookId,
  deliveryId: string,
  now: Date,
): Promise<Delivery | null> {
  const { rows } = await pool.query<DeliveryRow>(
    `WITH woken AS (
       UPDATE webhook_endpoints SET resting_until = NULL
       WHERE webhook_id = $1 AND resting_until IS NOT NULL
     ),
     notified AS (SELECT pg_notify('${deliveriesChannel}', ''))
     UPDATE webhook_deliveries d SET status = 'pending', due_at = $3::timestamptz, failures = 0
     FROM notified WHERE d.webhook_id = $1 AND d.id = $2 RETURNING ${columns}`,
    [webhookId, deliveryId, now],
  );
  return rows[0] ? toDelivery(rows[0]) : null;
}

export async function hasDelivery(
  pool: pg.Pool,
  webhookId: WebhookId,
  deliveryId: string,
): Promise<boolean> {
  const found = await pool.query(
    'SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2',
    [webhookId, deliveryId],
  );
  return found.rowCount === 1;
}

/** A completed delivery that is on no schedule. */
interface LoggedDelivery {
  readonly id: string;
  readonly webhookId: WebhookId;
  readonly organisationId: string;
  readonly kind: WebhookEventKind;
  readonly at: Date;
  readonly delivered: boolean;
  readonly responseStatus: number | null;
  readonly trouble: DeliveryTrouble | null;
  readonly durationMs: number;
}

/**
 * Records a delivery that was made on demand. Enqueuing may not have folded the endpoint yet: a
 * placeholder row is then inserted for it. Records nothing if the endpoint was deleted, or its
 * organisation erased, meanwhile. Occupies a connection until enqueuing ends its transaction.
 */
export async function logDelivery(
  db: Kysely<StoreTables>,
  enqueuingName: string,
  made: LoggedDelivery,
): Promise<void> {
  const { id, webhookId, organisationId, kind, responseStatus, trouble, durationMs } = made;
  const at = made.at.toISOString();
  const status = made.delivered ? 'delivered' : 'failed';
  await db.transaction().execute(async (trx) => {
    // Enqueuing deletes the rows of a deleted endpoint once. It must not do so between the look-up of
    // the deletion and the insertion.
    await sql`SELECT FROM checkpoints WHERE name = ${enqueuingName} FOR SHARE`.execute(trx);
    await sql`
      WITH there AS MATERIALIZED (
        SELECT FROM data_keys WHERE organisation_id = ${organisationId} AND purpose = 'data'
          AND NOT EXISTS (SELECT FROM events
            WHERE stream = ${streams.webhook(webhookId)} AND type = 'WebhookDeleted')
        FOR KEY SHARE
      ),
      latest AS (
        INSERT INTO webhook_endpoints (webhook_id, organisation_id, kinds, active, since, last_delivery_id)
        SELECT ${webhookId}, ${organisationId}, '{}'::text[], false, 0, ${id} FROM there
        ON CONFLICT (webhook_id) DO UPDATE SET last_delivery_id = excluded.last_delivery_id
      )
      INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, position,
        occurred_at, status, attempts, last_attempt_at, response_status, trouble, duration_ms)
      SELECT ${id}, ${webhookId}, ${organisationId}, ${kind}, ${webhookId}, 0, ${at}::text, ${status},
        1, ${at}::text::timestamptz, ${responseStatus}::integer, ${trouble}, ${durationMs}::integer
      FROM there`.execute(trx);
  });
}

const columns = `d.id, d.webhook_id, d.kind, d.status, d.occurred_at, d.attempts, d.last_attempt_at,
  d.due_at, d.response_status, d.trouble, d.duration_ms`;

interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: WebhookId;
  readonly kind: WebhookEventKind;
  readonly status: DeliveryStatus;
  readonly occurred_at: string;
  readonly attempts: number;
  readonly last_attempt_at: Date | null;
  readonly due_at: Date | null;
  readonly response_status: number | null;
  readonly trouble: DeliveryTrouble | null;
  readonly duration_ms: number | null;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    type: row.kind,
    status: row.status,
    createdAt: row.occurred_at,
    attempts: row.attempts,
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt: row.due_at?.toISOString() ?? null,
    responseStatus: row.response_status,
    error: row.trouble,
    durationMs: row.duration_ms,
  };
}

const keptMs = 30 * 86_400_000;
const prunedAtOnce = 5_000;

/**
 * Deletes a batch of settled deliveries from 30 days ago or earlier. Returns the number deleted.
 */
export async function pruneDeliveries(pool: pg.Pool, now: Date): Promise<number> {
  const oldest = encodeTime(now.getTime() - keptMs);
  const { rowCount } = await pool.query(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE id < $1 AND status <> 'pending'
       ORDER BY id LIMIT ${prunedAtOnce} FOR UPDATE SKIP LOCKED)`,
    [oldest],
  );
  return rowCount ?? 0;
}

/**
 * Deletes endpoints, with their deliveries, that a test inserted again after their deletion. Earlier
 * releases did so.
 */
export async function pruneDeleted(pool: pg.Pool): Promise<void> {
  await pool.query(
    `WITH deleted AS (
       DELETE FROM webhook_endpoints e WHERE since = 0 AND EXISTS (SELECT FROM events
         WHERE stream = 'webhook-' || e.webhook_id AND type = 'WebhookDeleted')
       RETURNING webhook_id
     )
     DELETE FROM webhook_deliveries d USING deleted WHERE d.webhook_id = deleted.webhook_id`,
  );
}
