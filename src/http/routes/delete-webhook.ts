import { z } from 'zod';
import { deleteWebhook as remove } from '../../commands/delete-webhook.ts';
import { webhook } from '../examples/webhook-examples.ts';
import { webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { deletedWebhook } from '../webhook-schema.ts';

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  method: 'DELETE',
  path: '/webhooks/:id',
  scope: 'webhooks:manage',
  summary: 'Deletes a webhook endpoint: nothing is sent to it any more',
  params: { schema: z.object({ id: webhookId }) },
  responses: {
    200: {
      description: 'it is gone',
      schema: deletedWebhook,
      example: { success: true, data: { id: webhook.id } },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ caller, params, requestId }, deps) => {
    const { organisationId, keyId } = caller;
    const of = { organisationId, webhookId: params.id };
    await remove(deps, of, { requestId, keyId, actor: 'api' });
    return { status: 200, body: { success: true, data: { id: params.id } } };
  },
});
