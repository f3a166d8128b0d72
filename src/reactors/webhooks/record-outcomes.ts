import type pg from 'pg';
import { streams } from '../../domain/streams.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import { failingForMs } from '../../webhooks/retry-schedule.ts';
import { startingAfresh } from './endpoints.ts';
import type { DeliveryOutcome } from './outcome.ts';

/** An endpoint that has only failed for five days, and the URL that failed last. */
export interface FailingEndpoint {
  readonly webhookId: WebhookId;
  readonly url: string;
}

/**
 * Records the outcomes of claims in one batch. An outcome whose lease has passed to another worker
 * counts only if it is `delivered`. Returns the endpoints that failed now, at their present address,
 * and have only failed for five days.
 */
export async function recordOutcomes(
  pool: pg.Pool,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<readonly FailingEndpoint[]> {
  // Record health first: a retry, which ends a pause, may follow as soon as deliveries are recorded.
  const failing = await recordHealth(pool, outcomes, now);
  await recordDeliveries(pool, outcomes);
  return failing;
}

// Rows are locked in one order by all writers, which prevents deadlocks. Not prepared, for the same
// reason as the query of claims.
async function recordDeliveries(
  pool: pg.Pool,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const column = <Value>(of: (outcome: DeliveryOutcome) => Value) => outcomes.map(of);
  await pool.query({
    text: `
      WITH locked AS MATERIALIZED (
        SELECT id FROM webhook_deliveries WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE
      )
      UPDATE webhook_deliveries d SET
        status = CASE WHEN d.status = 'held' AND o.status = 'pending' THEN 'held' ELSE o.status END,
        due_at = CASE WHEN d.status = 'held' THEN NULL ELSE o.due_at END,
        failures = o.failures,
        attempts = d.attempts + CASE WHEN o.at IS NULL THEN 0 ELSE 1 END,
        last_attempt_at = coalesce(o.at, d.last_attempt_at),
        response_status = CASE WHEN o.at IS NULL THEN d.response_status ELSE o.response_status END,
        trouble = CASE WHEN o.at IS NULL THEN coalesce(o.trouble, d.trouble) ELSE o.trouble END,
        duration_ms = coalesce(o.duration_ms, d.duration_ms),
        lease = NULL,
        leased_until = NULL
      FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::integer[],
                  $6::timestamptz[], $7::integer[], $8::text[], $9::integer[])
        AS o(id, lease, status, due_at, failures, at, response_status, trouble, duration_ms)
      WHERE d.id = o.id AND EXISTS (SELECT FROM locked WHERE locked.id = o.id)
        AND (d.lease = o.lease OR o.status = 'delivered')`,
    values: [
      column(({ claim }) => claim.id),
      column(({ claim }) => claim.lease),
      column(({ status }) => status),
      column(({ dueAt }) => dueAt),
      column(({ failures }) => failures),
      column(({ attempt }) => attempt?.at ?? null),
      column(({ attempt }) => attempt?.answer.status ?? null),
      column(({ trouble }) => trouble),
      column(({ attempt }) => attempt?.answer.durationMs ?? null),
    ],
  });
}

// An answer of an earlier address says nothing about the present one. Recorded after the fold of the
// change, it would otherwise make the present address rest. Recorded before, it would disable it.
async function recordHealth(
  pool: pg.Pool,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<readonly FailingEndpoint[]> {
  const healths = [...Map.groupBy(outcomes.filter(wasAttempted), (o) => o.claim.webhookId)].map(
    ([webhookId, own]) => healthOf(webhookId as WebhookId, own),
  );
  if (healths.length === 0) return [];
  const { rows } = await pool.query<{ webhook_id: WebhookId }>({
    text: `
      WITH locked AS MATERIALIZED (
        SELECT webhook_id FROM webhook_endpoints WHERE webhook_id = ANY($1::text[])
        ORDER BY webhook_id FOR UPDATE
      ),
      compared AS MATERIALIZED (
        SELECT o.*, EXISTS (
          SELECT FROM events v
          WHERE v.stream = o.stream AND v.version > o.version AND v.type = ANY($8::text[])
        ) AS is_earlier
        FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::text[], $6::text[],
                    $7::integer[])
          AS o(webhook_id, failed_at, resting_until, last_id, stream, version)
      ),
      changed AS (
        UPDATE webhook_endpoints e SET
          failing_since = CASE WHEN o.is_earlier THEN e.failing_since
            WHEN o.failed_at IS NOT NULL THEN coalesce(e.failing_since, o.failed_at) END,
          resting_until = CASE WHEN o.is_earlier THEN e.resting_until
            WHEN o.failed_at IS NOT NULL THEN greatest(e.resting_until, o.resting_until) END,
          last_delivery_id = o.last_id
        FROM compared o
        WHERE e.webhook_id = o.webhook_id
          AND EXISTS (SELECT FROM locked WHERE locked.webhook_id = o.webhook_id)
        RETURNING e.webhook_id, e.failing_since, o.is_earlier
      )
      SELECT webhook_id FROM changed WHERE NOT is_earlier AND failing_since <= $5::timestamptz`,
    values: [
      healths.map(({ webhookId }) => webhookId),
      healths.map(({ failedAt }) => failedAt),
      healths.map(({ restingUntil }) => restingUntil),
      healths.map(({ lastId }) => lastId),
      new Date(now.getTime() - failingForMs),
      healths.map(({ webhookId }) => streams.webhook(webhookId)),
      healths.map(({ version }) => version),
      startingAfresh,
    ],
  });
  const failing = new Set(rows.map((row) => row.webhook_id));
  return healths.flatMap(({ webhookId, url }) =>
    url !== null && failing.has(webhookId) ? [{ webhookId, url }] : [],
  );
}

interface Attempted extends DeliveryOutcome {
  readonly attempt: NonNullable<DeliveryOutcome['attempt']>;
}

function wasAttempted(outcome: DeliveryOutcome): outcome is Attempted {
  return outcome.attempt !== null;
}

/**
 * Health of an endpoint in one batch, by the attempts on its newest version; `failedAt` is null if any
 * of them delivered.
 */
function healthOf(webhookId: WebhookId, attempted: readonly Attempted[]) {
  const version = Math.max(...attempted.map(({ attempt }) => attempt.endpointVersion));
  const outcomes = attempted.filter(({ attempt }) => attempt.endpointVersion === version);
  const [first] = outcomes;
  const delivered = outcomes.some(({ status }) => status === 'delivered');
  const failedAt = delivered ? null : (first?.attempt.at ?? null);
  const rests = outcomes.flatMap(({ restingUntil }) => restingUntil ?? []);
  const restingUntil = rests.reduce<Date | null>(
    (longest, rest) => (longest === null || rest > longest ? rest : longest),
    null,
  );
  const lastId = attempted.at(-1)?.claim.id ?? null;
  const url = first?.attempt.url ?? null;
  return { webhookId, version, url, failedAt, restingUntil, lastId };
}
