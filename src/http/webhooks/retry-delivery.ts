import { z } from 'zod';
import { recordSending } from '../../commands/record-sending.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import { deliveryId, webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { requireActive } from './require-active.ts';
import { viewDelivery } from './view-delivery.ts';
import { delivery as example } from './webhook-examples.ts';
import { deliveryResponse } from './webhook-schema.ts';

interface RetryDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'has' | 'retry'>;
}

export const retryDelivery = defineRoute({
  operationId: 'retryWebhookDelivery',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks/:id/deliveries/:deliveryId/retry',
  scope: 'webhooks:manage',
  summary: 'Sends a delivery again, whatever its status',
  params: { schema: z.object({ id: webhookId, deliveryId }) },
  responses: {
    200: {
      description: 'queued to be sent now',
      schema: deliveryResponse,
      example: {
        success: true,
        data: { ...example, status: 'pending', nextAttemptAt: '2026-11-21T02:00:00.000Z' },
      },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  handle: async ({ caller, params, meta }, { store, webhooks }: RetryDeps) => {
    const { id: webhookId, deliveryId } = params;
    const of = { organisationId: caller.organisationId, webhookId };
    await requireActive(store, of);
    if (!(await webhooks.has(webhookId, deliveryId))) throw noDelivery();
    const event = { type: 'WebhookRetryRequested', data: { webhookId, deliveryId } } as const;
    await recordSending(store, of, event, meta);
    const delivery = await webhooks.retry(webhookId, deliveryId);
    if (delivery === null) throw noDelivery();
    return { status: 200, body: { success: true, data: viewDelivery(delivery) } };
  },
});

function noDelivery(): Refusal {
  return new Refusal('WEBHOOK_NOT_FOUND', 'there is no such delivery to this webhook endpoint');
}
