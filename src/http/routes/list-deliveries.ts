import { z } from 'zod';
import { loadWebhook } from '../../commands/load-webhook.ts';
import { deepPageCost } from '../call-cost.ts';
import { delivery } from '../examples/webhook-examples.ts';
import { pageQuery, webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { deliveryList } from '../webhook-schema.ts';

export const listDeliveries = defineRoute({
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  scope: 'webhooks:manage',
  summary: 'What was, and is to be, delivered to a webhook endpoint, newest first',
  params: { schema: z.object({ id: webhookId }) },
  query: {
    schema: z.object(pageQuery),
  },
  cost: deepPageCost('deliveries'),
  responses: {
    200: {
      description: 'one page of them',
      schema: deliveryList,
      example: { success: true, data: [delivery], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ caller, params, query }, { store, webhooks }) => {
    const { page, limit } = query;
    await loadWebhook(store, { organisationId: caller.organisationId, webhookId: params.id });
    const { items, total } = await webhooks.list(params.id, { page, limit });
    return { status: 200, body: { success: true, data: items, meta: { page, limit, total } } };
  },
});
