import { test } from 'tap';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import { webhookPlacesDecider } from '../../../src/domain/webhook/places-decider.ts';
import { refusalOf } from '../../support/fold.ts';

const { take, free, stateAfter } = webhookPlacesDecider;
const webhookId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId;

test('takes the twentieth place and refuses a twenty-first', async (t) => {
  t.strictSame(take(19, webhookId), [
    { type: 'WebhookPlaceTaken', data: { webhookId, taken: 20 } },
  ]);
  const code = 'INVALID_REQUEST';
  t.match(
    refusalOf(() => take(20, webhookId)),
    { code, message: /20/ },
  );
});

test('a freed place can be taken again', async (t) => {
  const [freed] = free(20, webhookId);
  t.strictSame(freed, { type: 'WebhookPlaceFreed', data: { webhookId, taken: 19 } });
  t.equal(stateAfter(freed ?? null), 19);
  t.equal(stateAfter(null), 0);
});
