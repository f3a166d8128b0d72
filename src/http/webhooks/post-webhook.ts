import { z } from 'zod';
import { type RegisterWebhookDeps, registerWebhook } from '../../commands/register-webhook.ts';
import { defineRoute } from '../route.ts';
import { readWebhook, type WebhookViewDeps } from './view-webhook.ts';
import { newWebhook, secret, webhookOrder } from './webhook-examples.ts';
import {
  registeredWebhook,
  webhookDescription,
  webhookKinds,
  webhookUrl,
} from './webhook-schema.ts';

export const postWebhook = defineRoute({
  operationId: 'createWebhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks',
  scope: 'webhooks:manage',
  summary: 'Registers a webhook endpoint',
  description:
    'Deliveries follow [Standard Webhooks](https://www.standardwebhooks.com) 1.0. The secret that ' +
    'signs the deliveries is shown in this answer only. An organisation can have at most 20 ' +
    'endpoints.',
  body: {
    schema: z.object({
      url: webhookUrl,
      events: webhookKinds,
      description: webhookDescription.optional(),
    }),
    example: webhookOrder,
  },
  responses: {
    201: {
      description: 'the endpoint with its secret',
      schema: registeredWebhook,
      example: { success: true, data: { ...newWebhook, secret } },
    },
  },
  refusals: [],
  handle: async ({ caller, body, meta }, deps: RegisterWebhookDeps & WebhookViewDeps) => {
    const { organisationId } = caller;
    const { url, events, description = null } = body;
    const order = { organisationId, url, events, description };
    const { webhookId, secret } = await registerWebhook(deps, order, meta);
    const webhook = await readWebhook(deps, { organisationId, webhookId });
    return { status: 201, body: { success: true, data: { ...webhook, secret } } };
  },
});
