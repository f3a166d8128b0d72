import { z } from 'zod';
import { type RemoveWebhookDeps, removeWebhook } from '../../commands/remove-webhook.ts';
import { webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { webhook } from './webhook-examples.ts';
import { deletedWebhook } from './webhook-schema.ts';

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  method: 'DELETE',
  path: '/webhooks/:id',
  scope: 'webhooks:manage',
  summary: 'Deletes a webhook endpoint; nothing more is sent to it',
  params: { schema: z.object({ id: webhookId }) },
  responses: {
    200: {
      description: 'deleted',
      schema: deletedWebhook,
      example: { success: true, data: { id: webhook.id } },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ caller, params, meta }, deps: RemoveWebhookDeps) => {
    const { organisationId } = caller;
    const of = { organisationId, webhookId: params.id };
    await removeWebhook(deps, of, meta);
    return { status: 200, body: { success: true, data: { id: params.id } } };
  },
});
