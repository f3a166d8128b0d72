import { test } from 'tap';
import { ulid } from 'ulid';
import { isUlid, type WebhookId } from '../../src/domain/ulid.ts';
import { webhookEventKinds } from '../../src/domain/webhook/event-kind.ts';
import { deliveryIdOf } from '../../src/webhooks/delivery-id.ts';

test('an event has one id for each kind and endpoint, a ULID with the time of the event', async (t) => {
  const ids = new Set<string>();
  const eventIds = [ulid(), ulid(), ulid()];
  const webhookIds = [ulid(), ulid(), ulid()] as WebhookId[];
  for (const eventId of eventIds) {
    for (const kind of webhookEventKinds) {
      for (const webhookId of webhookIds) {
        const id = deliveryIdOf(eventId, kind, webhookId);
        t.equal(deliveryIdOf(eventId, kind, webhookId), id);
        t.ok(isUlid(id));
        t.equal(id.slice(0, 10), eventId.slice(0, 10));
        ids.add(id);
      }
    }
  }
  t.equal(ids.size, 9 * webhookEventKinds.length);
});
