import { test } from 'tap';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import { freePlace, takenAfter, takePlace } from '../../../src/domain/webhook/places.ts';
import { refusalOf } from '../../support/fold.ts';

const webhookId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId;

test('the twentieth place is taken, a twenty-first is not there', async (t) => {
  t.strictSame(takePlace(19, webhookId), [
    { type: 'WebhookPlaceTaken', data: { webhookId, taken: 20 } },
  ]);
  const code = 'INVALID_REQUEST';
  t.match(
    refusalOf(() => takePlace(20, webhookId)),
    { code, message: /20/ },
  );
});

test('a place that was freed can be taken again', async (t) => {
  const [freed] = freePlace(20, webhookId);
  t.strictSame(freed, { type: 'WebhookPlaceFreed', data: { webhookId, taken: 19 } });
  t.equal(takenAfter(freed ?? null), 19);
  t.equal(takenAfter(null), 0);
});
