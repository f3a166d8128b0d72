import { z } from 'zod';
import {
  type RotateSecretDeps,
  rotateWebhookSecret,
} from '../../commands/rotate-webhook-secret.ts';
import { defaultOverlapSeconds, maxOverlapSeconds } from '../../domain/webhook/webhook-secret.ts';
import { queryNumber, webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { readWebhook, type WebhookViewDeps } from './view-webhook.ts';
import { secret, webhook } from './webhook-examples.ts';
import { rotatedWebhook } from './webhook-schema.ts';

export const rotateSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  scope: 'webhooks:manage',
  summary: 'Gives a webhook endpoint a new secret; previous secrets stay valid for a while',
  description: 'Counts as a change of the endpoint, which can have 1,000 changes in all.',
  params: { schema: z.object({ id: webhookId }) },
  query: {
    schema: z.object({
      overlapSeconds: queryNumber(0, maxOverlapSeconds)
        .default(defaultOverlapSeconds)
        .meta({
          description:
            'how long deliveries are signed with the previous secrets too, in seconds; 0: not at all',
          examples: [3600],
        }),
    }),
  },
  responses: {
    200: {
      description: 'the endpoint with its new secret',
      schema: rotatedWebhook,
      example: {
        success: true,
        data: { ...webhook, secret, previousSecretsUntil: '2026-11-22T01:05:00.000Z' },
      },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ caller, params, query, meta }, deps: RotateSecretDeps & WebhookViewDeps) => {
    const { organisationId } = caller;
    const of = { organisationId, webhookId: params.id };
    const rotated = await rotateWebhookSecret(deps, of, query.overlapSeconds, meta);
    const data = {
      ...(await readWebhook(deps, of)),
      secret: rotated.secret,
      previousSecretsUntil: rotated.previousUntil,
    };
    return { status: 200, body: { success: true, data } };
  },
});
