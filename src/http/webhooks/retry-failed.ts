import { z } from 'zod';
import { recordSending } from '../../commands/record-sending.ts';
import { canonicalDateTime } from '../../domain/date-time.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import { dateTime, webhookId } from '../fields.ts';
import { costOfRetries, retriesCost } from '../limits/call-cost.ts';
import { defineRoute } from '../route.ts';
import { requireActive } from './require-active.ts';
import { retriedDeliveries } from './webhook-schema.ts';

/** Deliveries that one call sends again at most. */
const mostRetried = 5_000;

interface RetryDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'retryFailed'>;
}

export const retryFailedDeliveries = defineRoute({
  operationId: 'retryFailedWebhookDeliveries',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks/:id/deliveries/retry',
  scope: 'webhooks:manage',
  summary: 'Sends all deliveries again that failed or were held, of events since a time',
  description:
    `At most ${mostRetried.toLocaleString('en')} deliveries, the oldest first; call again while some remain. ` +
    'Tests are left out. Deliveries are kept for 30 days. A call that is repeated after 503 counts again, ' +
    'since the first one may have been counted.',
  params: { schema: z.object({ id: webhookId }) },
  body: {
    schema: z.object({
      since: dateTime.meta({ description: 'deliveries of events at this time or later' }),
    }),
    example: { since: '2026-11-20T00:00:00Z' },
  },
  responses: {
    200: {
      description: 'queued to be sent now',
      schema: retriedDeliveries,
      example: { success: true, data: { retried: 12, remaining: 0 } },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  cost: retriesCost,
  handle: async ({ caller, params, body, meta, weigh }, { store, webhooks }: RetryDeps) => {
    const { id: webhookId } = params;
    const of = { organisationId: caller.organisationId, webhookId };
    await requireActive(store, of);
    const since = new Date(canonicalDateTime(body.since) ?? body.since);
    const data = await webhooks.retryFailed(
      of,
      { since, most: mostRetried },
      async (deliveries) => {
        await weigh(costOfRetries(deliveries));
        const asked = { webhookId, since: since.toISOString(), deliveries };
        await recordSending(store, of, { type: 'WebhookRetriesRequested', data: asked }, meta);
      },
    );
    return { status: 200, body: { success: true, data } };
  },
});
