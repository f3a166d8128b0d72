import { z } from 'zod';
import { type ChangeWebhookDeps, changeWebhook } from '../../commands/change-webhook.ts';
import { webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { readWebhook, type WebhookViewDeps } from './view-webhook.ts';
import { webhook } from './webhook-examples.ts';
import {
  webhookDescription,
  webhookKinds,
  webhookResponse,
  webhookStatus,
  webhookUrl,
} from './webhook-schema.ts';

export const patchWebhook = defineRoute({
  operationId: 'changeWebhook',
  tag: 'Webhooks',
  method: 'PATCH',
  path: '/webhooks/:id',
  scope: 'webhooks:manage',
  summary: 'Changes a webhook endpoint, disables it, or enables it again',
  description:
    'Members that are left out keep their values. An endpoint can be changed, enabled and given a new ' +
    'secret 1,000 times in all. It can always be disabled and deleted.',
  params: { schema: z.object({ id: webhookId }) },
  body: {
    schema: z.object({
      url: webhookUrl.optional(),
      events: webhookKinds.optional(),
      description: webhookDescription.nullable().optional(),
      status: webhookStatus.optional(),
    }),
    example: { status: 'disabled' },
  },
  responses: {
    200: {
      description: 'the changed endpoint',
      schema: webhookResponse,
      example: {
        success: true,
        data: { ...webhook, status: 'disabled', disabledAt: '2026-11-21T02:00:00.000Z' },
      },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ caller, params, body, meta }, deps: ChangeWebhookDeps & WebhookViewDeps) => {
    const { organisationId } = caller;
    const of = { organisationId, webhookId: params.id };
    await changeWebhook(deps, of, body, meta);
    return { status: 200, body: { success: true, data: await readWebhook(deps, of) } };
  },
});
