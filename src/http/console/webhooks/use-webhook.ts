import type { z } from 'zod';
import { requireApiAccess } from '../../../domain/organisation/plan.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { parseInput } from '../../input.ts';
import { patchWebhook } from '../../webhooks/patch-webhook.ts';
import { retryDelivery } from '../../webhooks/retry-delivery.ts';
import { retryFailedDeliveries } from '../../webhooks/retry-failed.ts';
import { testWebhook } from '../../webhooks/test-webhook.ts';
import type { retriedDeliveries, testOutcome } from '../../webhooks/webhook-schema.ts';
import { redirectTo, sentence } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { grouped } from '../grouped.ts';
import { showWebhook, type WebhookDeps } from './webhook-page.ts';
import { deliveryParams, ownWebhook } from './webhook-params.ts';

const again = (request: FormRequest, deps: WebhookDeps) =>
  showWebhook(request, deps, { note: request.note });

const disabledNote =
  'The endpoint is disabled, so nothing was sent. Choose “Enable”, then send again.';

/** Sends a test to an endpoint, and shows what came of it. */
export const testWebhookRoute: ConsoleRoute<WebhookDeps> = {
  kind: 'form',
  path: '/console/webhooks/:id/test',
  role: 'owner',
  needsApiAccess: true,
  otherWaitMs: testWebhook.otherWaitMs,
  again,
  handle: async (request, deps) => {
    const { webhookId: id } = ownWebhook(request);
    type Outcome = z.output<typeof testOutcome>;
    const { data } = await deps.consoleApi.ask<Outcome>(request, testWebhook, { params: { id } });
    const { delivered, status, durationMs, error } = data;
    const answer = status === null ? `no answer (${error ?? 'unknown'})` : `HTTP ${status}`;
    const verdict = delivered ? 'The test was delivered' : 'The test failed';
    const outcome = `${verdict}: ${answer} after ${durationMs} ms.`;
    return showWebhook(request, deps, { outcome });
  },
};

/** Disables or enables an endpoint. Without API access it can only be disabled. */
export const switchWebhookRoute: ConsoleRoute<WebhookDeps> = {
  kind: 'form',
  path: '/console/webhooks/:id/status',
  role: 'owner',
  again,
  handle: async (request, deps) => {
    const { webhookId: id } = ownWebhook(request);
    const json = { status: request.form.get('status') ?? '' };
    if (json.status === 'active') requireApiAccess(request.viewer.organisation);
    await deps.consoleApi.ask(request, patchWebhook, { params: { id }, json });
    return redirectTo(request.root, `console/webhooks/${id}`);
  },
};

/** Sends one delivery again. */
export const retryDeliveryRoute: ConsoleRoute<WebhookDeps> = {
  kind: 'form',
  path: '/console/webhooks/:id/deliveries/:deliveryId/retry',
  role: 'owner',
  needsApiAccess: true,
  again,
  handle: async (request, deps) => {
    const params = parseInput(deliveryParams, request.params);
    try {
      await deps.consoleApi.ask(request, retryDelivery, { params });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'WEBHOOK_DISABLED') throw error;
      return showWebhook(request, deps, { note: disabledNote, status: 409 });
    }
    return redirectTo(request.root, `console/webhooks/${params.id}`);
  },
};

/** Sends all deliveries again that failed or were held since a time. */
export const retryFailedRoute: ConsoleRoute<WebhookDeps> = {
  kind: 'form',
  path: '/console/webhooks/:id/retry-failed',
  role: 'owner',
  needsApiAccess: true,
  again: (request, deps) => showWebhook(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    const { webhookId: id } = ownWebhook(request);
    const typed = request.form;
    // The field has a time without a zone, which the page states to be UTC.
    const json = { since: `${typed.get('since') ?? ''}Z` };
    type Retried = z.output<typeof retriedDeliveries>;
    try {
      const params = { id };
      const { data } = await deps.consoleApi.ask<Retried>(request, retryFailedDeliveries, {
        params,
        json,
      });
      return showWebhook(request, deps, { typed, outcome: retriedInWords(data) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'WEBHOOK_DISABLED' && error.code !== 'INVALID_REQUEST') throw error;
      return error.code === 'WEBHOOK_DISABLED'
        ? showWebhook(request, deps, { typed, note: disabledNote, status: 409 })
        : showWebhook(request, deps, { typed, note: sentence(error.message), status: 400 });
    }
  },
};

function retriedInWords({
  retried,
  remaining,
}: z.output<typeof retriedDeliveries>['data']): string {
  if (retried === 0) return 'No delivery has failed or was held since then.';
  const sent = `${retried === 1 ? '1 delivery is' : `${grouped(retried)} deliveries are`} sent again now.`;
  return remaining === 0
    ? sent
    : `${sent} ${grouped(remaining)} more remain: send again once these are through.`;
}
