import type pg from 'pg';
import { encodeTime } from 'ulid';
import type { WebhookId } from '../../domain/ulid.ts';
import type { RetriedDeliveries } from '../../webhooks/contract.ts';
import { deliveriesChannel } from './delivery-log.ts';
import { RetriesBusy } from './retries-busy.ts';

/** Deliveries that can be sent again together: of endpoint $1, with ids from $2 on. */
const ended = `webhook_id = $1 AND id >= $2 AND status IN ('failed', 'held') AND kind <> 'webhook.test'`;

interface RetryOrder {
  readonly since: Date;
  readonly most: number;
  readonly now: Date;
  /**
   * Longest time for `admit`, in which the transaction is idle: PostgreSQL ends its session after
   * `idle_in_transaction_session_timeout`.
   */
  readonly admitMs?: number | undefined;
}

const defaultAdmitMs = 5_000;
/** A call that waits longer for another process would outlive its caller, and still be admitted. */
const lockTimeout = '5s';
/** SQLSTATE lock_not_available. */
const lockNotAvailable = '55P03';

/**
 * Makes failed and held deliveries of events since a time due now, the oldest first, and ends their
 * endpoint's pause. Calls for one endpoint wait for each other, so each counts what the one before
 * left. `admit` is called with the number while the others wait. If it rejects, nothing changes.
 * Rejects with `RetriesBusy` if another process or `admit` takes too long. A late `admit` may still
 * take effect, although nothing is due.
 */
export async function rescheduleFailed(
  pool: pg.Pool,
  webhookId: WebhookId,
  order: RetryOrder,
  admit: (deliveries: number) => Promise<void>,
): Promise<RetriedDeliveries> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await lockRetries(client, webhookId);
    const failed = await countEnded(client, webhookId, order.since);
    const deliveries = Math.min(failed, order.most);
    if (deliveries > 0) await soon(admit(deliveries), order.admitMs ?? defaultAdmitMs);
    const retried = await makeDue(client, webhookId, { ...order, most: deliveries });
    await client.query('COMMIT');
    return { retried, remaining: failed - retried };
  } catch (error) {
    // A connection that cannot roll back is discarded.
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (reason: Error) => reason,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Waits until no other process sends deliveries of the endpoint again. */
async function lockRetries(client: pg.PoolClient, webhookId: WebhookId): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  try {
    const lock = "SELECT pg_advisory_xact_lock(hashtextextended('retries of ' || $1::text, 0))";
    await client.query(lock, [webhookId]);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== lockNotAvailable) throw error;
    throw new RetriesBusy(`another process was not over after ${lockTimeout}`);
  }
  await client.query('SET LOCAL lock_timeout TO DEFAULT');
}

/** Rejects with `RetriesBusy` if the work takes longer. */
async function soon(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RetriesBusy(`recording took longer than ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function countEnded(
  client: pg.PoolClient,
  webhookId: WebhookId,
  since: Date,
): Promise<number> {
  const { rows } = await client.query<{ failed: number }>(
    `SELECT count(*) AS failed FROM webhook_deliveries WHERE ${ended}`,
    [webhookId, firstIdSince(since)],
  );
  return rows[0]?.failed ?? 0;
}

async function makeDue(
  client: pg.PoolClient,
  webhookId: WebhookId,
  { since, most, now }: RetryOrder,
): Promise<number> {
  if (most === 0) return 0;
  const { rows } = await client.query<{ retried: number }>(
    `WITH chosen AS MATERIALIZED (
       SELECT id FROM webhook_deliveries WHERE ${ended} ORDER BY id LIMIT $3 FOR UPDATE
     ),
     woken AS (
       UPDATE webhook_endpoints SET resting_until = NULL
       WHERE webhook_id = $1 AND resting_until IS NOT NULL AND EXISTS (SELECT FROM chosen)
     ),
     notified AS (SELECT pg_notify('${deliveriesChannel}', '')),
     due AS (
       UPDATE webhook_deliveries d SET status = 'pending', due_at = $4::timestamptz, failures = 0
       FROM chosen, notified WHERE d.id = chosen.id RETURNING d.id
     )
     SELECT count(*) AS retried FROM due`,
    [webhookId, firstIdSince(since), most, now],
  );
  return rows[0]?.retried ?? 0;
}

/** First id of a delivery of an event since a time. Ids sort by the time of their events. */
function firstIdSince(since: Date): string {
  return encodeTime(Math.max(0, since.getTime()));
}
