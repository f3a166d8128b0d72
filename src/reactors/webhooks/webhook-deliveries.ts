import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { createTurns, type Turns } from '../../event-store/handling/turns.ts';
import { awaitPosition, ProjectionBehind } from '../../subscriptions/await-position.ts';
import type {
  TestedWebhook,
  TestOutcome,
  WebhookDeliveries,
  WebhookSender,
} from '../../webhooks/contract.ts';
import { deliveryBody } from '../../webhooks/delivery-body.ts';
import { requestOf } from './deliver.ts';
import {
  hasDelivery,
  lastDeliveries,
  logDelivery,
  readDeliveries,
  rescheduleDelivery,
} from './delivery-log.ts';
import { enqueuingName } from './enqueuing.ts';
import { rescheduleFailed } from './reschedule-failed.ts';
import { createRetryLine } from './retry-line.ts';

interface WebhookDeliveriesDeps {
  readonly pool: pg.Pool;
  readonly db: Kysely<StoreTables>;
  readonly store: Pick<EventStore, 'head'>;
  readonly sender: WebhookSender;
  readonly newId: () => string;
  readonly now: () => Date;
  /** Aborted when the service stops, to end tests under way. */
  readonly cancelled: AbortSignal;
  /** Limits of `retryFailed`; the defaults suit operation. */
  readonly retryLimits?:
    | (Parameters<typeof createRetryLine>[0] & { readonly admitMs?: number })
    | undefined;
}

/** Maximum wait for enqueuing to fold the caller's own changes; then the call continues anyway. */
const catchUpMs = 2_000;

/** Operations of the API on deliveries, also in processes that make none. */
export function createWebhookDeliveries(deps: WebhookDeliveriesDeps): WebhookDeliveries {
  const { pool, sender, now, retryLimits } = deps;
  const line = createRetryLine(retryLimits);
  const turns = createTurns();
  return {
    checkUrl: (url) => sender.checkUrl(url),
    test: (webhook) => sendTest({ ...deps, turns }, webhook),
    ...createDeliveryLists(deps),
    has: (webhookId, deliveryId) => hasDelivery(pool, webhookId, deliveryId),
    async retry(webhookId, deliveryId) {
      // Wait first: an earlier disabling that is folded later would hold the delivery again.
      await awaitEnqueuing(deps);
      return rescheduleDelivery(pool, webhookId, deliveryId, now());
    },
    async retryFailed({ organisationId, webhookId }, order, admit) {
      await awaitEnqueuing(deps);
      const asked = { ...order, now: now(), admitMs: retryLimits?.admitMs };
      return line.run(organisationId, () => rescheduleFailed(pool, webhookId, asked, admit));
    },
  };
}

/** Reads deliveries; needs only the database. */
export function createDeliveryLists(
  deps: Pick<WebhookDeliveriesDeps, 'pool' | 'db' | 'store'>,
): Pick<WebhookDeliveries, 'list' | 'last'> {
  return {
    last: (webhookIds) => lastDeliveries(deps.pool, webhookIds),
    async list(webhookId, page) {
      await awaitEnqueuing(deps);
      return readDeliveries(deps.pool, webhookId, page);
    },
  };
}

/** Sends a test. The body contains only the endpoint's id, since there is no resource to show. */
async function sendTest(
  deps: WebhookDeliveriesDeps & { readonly turns: Turns },
  webhook: TestedWebhook,
): Promise<TestOutcome> {
  const { db, sender, newId, now, turns } = deps;
  const { webhookId, organisationId } = webhook;
  const [id, at, kind] = [newId(), now(), 'webhook.test'] as const;
  const data = { id: webhookId };
  const body = deliveryBody({ type: kind, timestamp: at.toISOString(), data });
  const answer = await sender.send(requestOf(webhook, id, body, at), deps.cancelled);
  const { status, error, durationMs } = answer;
  const delivered = status !== null && status >= 200 && status < 300;
  const made = { id, webhookId, organisationId, kind, at, delivered, durationMs };
  const logged = { ...made, responseStatus: status, trouble: error };
  // One at a time, so that all but one connection stay free: logging waits for enqueuing, which needs
  // a second connection itself.
  await turns.take('delivery log', () => logDelivery(db, enqueuingName, logged));
  return { delivered, status, durationMs, error };
}

async function awaitEnqueuing({
  db,
  store,
}: Pick<WebhookDeliveriesDeps, 'db' | 'store'>): Promise<void> {
  try {
    await awaitPosition(db, enqueuingName, await store.head(), { timeoutMs: catchUpMs });
  } catch (error) {
    // The delivery log is useful even if no process enqueues new deliveries.
    if (!(error instanceof ProjectionBehind)) throw error;
  }
}
