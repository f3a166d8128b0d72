import { test } from 'tap';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import {
  freeWebhookPlace,
  placesTaken,
  takeWebhookPlace,
} from '../../../src/domain/webhook/webhook-places.ts';
import { refusalOf } from '../../support/fold.ts';

const webhookId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId;

test('takes the twentieth place and refuses a twenty-first', async (t) => {
  t.strictSame(takeWebhookPlace(19, webhookId), [
    { type: 'WebhookPlaceTaken', data: { webhookId, taken: 20 } },
  ]);
  const code = 'INVALID_REQUEST';
  t.match(
    refusalOf(() => takeWebhookPlace(20, webhookId)),
    { code, message: /20/ },
  );
});

test('a freed place can be taken again', async (t) => {
  const [freed] = freeWebhookPlace(20, webhookId);
  t.strictSame(freed, { type: 'WebhookPlaceFreed', data: { webhookId, taken: 19 } });
  t.equal(placesTaken(freed ?? null), 19);
  t.equal(placesTaken(null), 0);
});
