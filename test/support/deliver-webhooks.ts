import type { Test } from 'tap';
import { ulid } from 'ulid';
import { deliveriesChannel } from '../../src/reactors/webhooks/delivery-log.ts';
import { runWebhooks } from '../../src/reactors/webhooks/run-webhooks.ts';
import { createWebhookDeliveries } from '../../src/reactors/webhooks/webhook-deliveries.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { createKnownLedgers } from '../../src/views/known-ledgers.ts';
import { createWebhookData } from '../../src/views/webhook-data.ts';
import type { WebhookDeliveries } from '../../src/webhooks/contract.ts';
import { createHttpsSender } from '../../src/webhooks/https-sender.ts';
import { openTestStore } from './event-store.ts';
import type { HttpService } from './http-service.ts';

const now = () => new Date();

/**
 * Delivers the events of a service for real, to endpoints on this machine. Give `webhooks` to the
 * service, then call `start` with it.
 */
export function deliverWebhooks(t: Pick<Test, 'teardown'>) {
  const rules = { allowHttp: true, allowPrivate: true, ports: null };
  const sender = createHttpsSender({ rules });
  t.teardown(() => sender.close());
  let deliveries: WebhookDeliveries | undefined;
  const real = () => {
    if (deliveries === undefined) throw new Error('deliveries have not been started');
    return deliveries;
  };
  const webhooks: WebhookDeliveries = {
    checkUrl: (url) => real().checkUrl(url),
    test: (webhook) => real().test(webhook),
    list: (webhookId, page) => real().list(webhookId, page),
    last: (webhookIds) => real().last(webhookIds),
    has: (webhookId, deliveryId) => real().has(webhookId, deliveryId),
    retry: (webhookId, deliveryId) => real().retry(webhookId, deliveryId),
    retryFailed: (of, order, admit) => real().retryFailed(of, order, admit),
  };
  const start = ({
    databaseUrl,
    services: {
      events: { signal },
      site: { publicUrl },
    },
  }: HttpService): void => {
    const { pool, db, store } = openTestStore(t, databaseUrl);
    const cancelled = new AbortController().signal;
    deliveries = createWebhookDeliveries({ pool, db, store, sender, newId: ulid, now, cancelled });
    const due = openLogSignal(databaseUrl, { channel: deliveriesChannel });
    t.teardown(() => due.close());
    const ledgers = createKnownLedgers({ store, db });
    const stop = runWebhooks({
      ...{ pool, db, store, log: signal, deliveries: due, sender, now, newId: ulid },
      buildData: createWebhookData({ store, db, signal, ledgers, publicUrl }),
      random: Math.random,
      onError: () => {},
      onDisabled: () => {},
    });
    t.teardown(stop);
  };
  return { webhooks, start };
}
