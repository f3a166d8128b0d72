import { deliveriesChannel } from '../reactors/webhooks/delivery-log.ts';
import { runWebhooks } from '../reactors/webhooks/run-webhooks.ts';
import { createWebhookDeliveries } from '../reactors/webhooks/webhook-deliveries.ts';
import { openLogSignal } from '../subscriptions/log-signal.ts';
import { traceProjection } from '../telemetry/trace-projection.ts';
import { traceSender } from '../telemetry/trace-sender.ts';
import { createKnownLedgers } from '../views/known-ledgers.ts';
import { createWebhookData } from '../views/webhook-data.ts';
import type { WebhookDeliveries, WebhookSender } from '../webhooks/contract.ts';
import { createHttpsSender } from '../webhooks/https-sender.ts';
import { newId, now, type Program } from './program.ts';
import type { Core } from './start-core.ts';
import { attestedNetworks, type NetworkParts } from './start-networks.ts';

/** The sender of webhooks, and the operations of the API on deliveries. */
interface Webhooks {
  readonly sender: WebhookSender;
  readonly deliveries: WebhookDeliveries;
}

const testEndsMs = 2_000;

/** Opens the sender, also in a process that makes no deliveries: tests are sent at once. */
export function openWebhooks(
  { config, parts, draining, telemetry: { trace } }: Program,
  { database: { pool, db }, store }: Core,
): Webhooks {
  const plain = createHttpsSender({ rules: config.webhooks });
  parts.add('webhook connections', () => plain.close());
  const sender = trace === null ? plain : traceSender(plain, trace);
  const drained = new AbortController();
  const drain = () => setTimeout(() => drained.abort(), testEndsMs).unref();
  draining.addEventListener('abort', drain, { once: true });
  const cancelled = drained.signal;
  const deps = { pool, db, store, sender, newId, now, cancelled };
  return { sender, deliveries: createWebhookDeliveries(deps) };
}

/** Starts sending webhooks. `publicUrl` is the URL of the service from outside. */
export function startWebhooks(
  { log, parts, telemetry: { trace } }: Program,
  { url, database: { pool, db }, store, signal, tail }: Core,
  { sender }: Webhooks,
  configured: readonly NetworkParts[],
  publicUrl: () => string,
): void {
  const onError = (err: unknown) =>
    log.warn({ err }, 'webhook deliveries are interrupted; retrying');
  const deliveries = openLogSignal(url, { channel: deliveriesChannel, onError });
  parts.add('webhook signal', () => deliveries.close());
  const ledgers = createKnownLedgers({ store, db });
  const stop = runWebhooks({
    pool,
    db,
    store,
    tail,
    log: signal,
    deliveries,
    sender,
    buildData: createWebhookData({ store, db, signal, ledgers, publicUrl }),
    newId,
    now,
    random: Math.random,
    networks: attestedNetworks(configured),
    ...(trace !== null && { observed: (folder) => traceProjection(folder, trace) }),
    onError,
    onDisabled: (webhookId, reason) =>
      log.info(
        { webhookId, reason },
        'webhook endpoint was disabled; it receives no deliveries until it is enabled',
      ),
  });
  parts.add('webhooks', stop);
}
