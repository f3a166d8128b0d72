import { listWebhookIds } from '../../../projections/webhooks/query.ts';
import { readWebhooks } from '../../loading/load-webhook.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import { defineOffloadedRoute } from '../route.ts';
import { viewWebhook, type WebhookViewDeps } from './view-webhook.ts';
import { webhook } from './webhook-examples.ts';
import { webhookList } from './webhook-schema.ts';

export const listWebhooks = defineOffloadedRoute({
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  method: 'GET',
  path: '/webhooks',
  scope: 'webhooks:manage',
  isOffloaded: true,
  summary: 'The webhook endpoints of the organisation, without their secrets',
  responses: {
    200: {
      description: 'the endpoints',
      schema: webhookList,
      example: { success: true, data: [webhook] },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  before: async ({ caller }, { db, store, signal }: ReadDeps) => {
    const position = await store.lastPositionOf(caller.organisationId);
    await awaitPosition(db, 'webhooks', position, { signal });
  },
  handle: async ({ caller }, { db, store, webhooks }: Pick<ReadDeps, 'db'> & WebhookViewDeps) => {
    const ids = await listWebhookIds(db, caller.organisationId);
    const [endpoints, last] = await Promise.all([readWebhooks(store, ids), webhooks.last(ids)]);
    const data = endpoints.map((webhook) => viewWebhook(webhook, last.get(webhook.webhookId)));
    return { status: 200, body: { success: true, data } };
  },
});
