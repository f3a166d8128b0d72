import { z } from 'zod';
import { disableWebhook } from '../../commands/disable-webhook.ts';
import { recordSending } from '../../commands/record-sending.ts';
import { signingSecrets } from '../../domain/webhook/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadWebhook } from '../../loading/load-webhook.ts';
import type { FileWork } from '../../subscriptions/file-work.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import { webhookId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import type { HttpShares } from '../shares/create-shares.ts';
import { testOutcome } from './webhook-schema.ts';

interface TestDeps {
  readonly store: EventStore;
  readonly webhooks: Pick<WebhookDeliveries, 'test'>;
  readonly shares: Pick<HttpShares, 'webhookTests'>;
  /** Announces the test to all processes. */
  readonly fileWork: FileWork;
  readonly now: () => Date;
}

export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks/:id/test',
  scope: 'webhooks:manage',
  // 20 s until other tests of the organisation end, and 15 s for the endpoint.
  otherWaitMs: 35_000,
  summary: 'Sends webhook.test to an endpoint now, even if the endpoint is disabled',
  params: { schema: z.object({ id: webhookId }) },
  responses: {
    200: {
      description: 'the result of the test',
      schema: testOutcome,
      example: {
        success: true,
        data: { delivered: true, status: 204, durationMs: 87, error: null },
      },
    },
  },
  refusals: ['WEBHOOK_NOT_FOUND'],
  handle: async (
    { caller, params, meta },
    { store, webhooks, fileWork, shares, now }: TestDeps,
  ) => {
    const { organisationId } = caller;
    const { state } = await loadWebhook(store, { organisationId, webhookId: params.id });
    const { webhookId, url } = state;
    const secrets = signingSecrets(state, now());
    const send = async () => {
      const event = { type: 'WebhookTestRequested', data: { webhookId } } as const;
      await recordSending(store, { organisationId, webhookId }, event, meta);
      return webhooks.test({ webhookId, organisationId, url, secrets });
    };
    const outcome = await shares.webhookTests.during(organisationId, 1, () =>
      fileWork.during(organisationId, send),
    );
    const { delivered, status, durationMs, error } = outcome;
    if (status === 410) await disableWebhook(store, { webhookId, reason: 'gone', url }, meta);
    return { status: 200, body: { success: true, data: { delivered, status, durationMs, error } } };
  },
});
