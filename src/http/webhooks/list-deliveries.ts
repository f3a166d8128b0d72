import { z } from 'zod';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadWebhook } from '../../loading/load-webhook.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import { pageQuery, webhookId } from '../fields.ts';
import { deepPageCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { viewDelivery } from './view-delivery.ts';
import { delivery } from './webhook-examples.ts';
import { deliveryList } from './webhook-schema.ts';

export const listDeliveries = defineOffloadedRoute({
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  scope: 'webhooks:manage',
  isOffloaded: true,
  summary: 'The deliveries to a webhook endpoint, past and pending, newest first',
  params: { schema: z.object({ id: webhookId }) },
  query: {
    schema: z.object(pageQuery),
  },
  cost: deepPageCost('deliveries'),
  responses: {
    200: {
      description: 'one page of the list',
      schema: deliveryList,
      example: { success: true, data: [delivery], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  before: async ({ caller, params }, { store }: { readonly store: EventStore }) => {
    await loadWebhook(store, { organisationId: caller.organisationId, webhookId: params.id });
  },
  handle: async (
    { params, query },
    { webhooks }: { readonly webhooks: Pick<WebhookDeliveries, 'list'> },
  ) => {
    const { page, limit } = query;
    const { items, total } = await webhooks.list(params.id, { page, limit });
    const data = items.map(viewDelivery);
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
