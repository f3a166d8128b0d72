import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadWebhook } from '../../loading/load-webhook.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import { deliveryId, webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { viewDelivery } from './view-delivery.ts';
import { delivery as example } from './webhook-examples.ts';
import { deliveryResponse } from './webhook-schema.ts';

interface RetryDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'retry'>;
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
  handle: async ({ caller, params }, { store, webhooks }: RetryDeps) => {
    const of = { organisationId: caller.organisationId, webhookId: params.id };
    const { state } = await loadWebhook(store, of);
    if (state.status === 'disabled') {
      const message =
        'the webhook endpoint is disabled; enable it first, with PATCH and "status": "active"';
      throw new Refusal('WEBHOOK_DISABLED', message);
    }
    const delivery = await webhooks.retry(params.id, params.deliveryId);
    if (delivery !== null) {
      return { status: 200, body: { success: true, data: viewDelivery(delivery) } };
    }
    throw new Refusal('WEBHOOK_NOT_FOUND', 'there is no such delivery to this webhook endpoint');
  },
});
