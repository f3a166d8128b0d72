import { streams } from '../domain/streams.ts';
import type { WebhookSendingEvent } from '../domain/webhook/events.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { OwnWebhook } from '../loading/load-webhook.ts';

/**
 * Records durably who asked for a test or for deliveries to be sent again (`meta`). Call it before
 * they are sent, so that nothing is sent without a record. The endpoint must be the organisation's.
 * Does not read the stream: nothing is decided on it.
 */
export async function recordSending(
  store: Pick<EventStore, 'versionOf' | 'append'>,
  { organisationId, webhookId }: OwnWebhook,
  event: WebhookSendingEvent,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.webhookSendings(webhookId);
  const decide = async () => {
    const expectedVersion = await store.versionOf(stream);
    return { entries: [{ organisationId, stream, expectedVersion, events: [event] }] };
  };
  await handleStreams(store, decide, meta);
}
