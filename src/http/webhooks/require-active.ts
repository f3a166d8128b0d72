import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadWebhook, type OwnWebhook } from '../../loading/load-webhook.ts';

/** Refuses with WEBHOOK_NOT_FOUND, and with WEBHOOK_DISABLED an endpoint to which nothing is sent. */
export async function requireActive(store: EventStore, of: OwnWebhook): Promise<void> {
  const { state } = await loadWebhook(store, of);
  if (state.status !== 'disabled') return;
  const message =
    'the webhook endpoint is disabled; enable it first, with PATCH and "status": "active"';
  throw new Refusal('WEBHOOK_DISABLED', message);
}
