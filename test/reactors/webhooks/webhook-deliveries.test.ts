import type { QueryConfig } from 'pg';
import { Webhook } from 'standardwebhooks';
import { test } from 'tap';
import { encodeTime, ulid } from 'ulid';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { claimDeliveries } from '../../../src/reactors/webhooks/claim-deliveries.ts';
import { pruneDeliveries } from '../../../src/reactors/webhooks/delivery-log.ts';
import { deliveryOutcome } from '../../../src/reactors/webhooks/outcome.ts';
import { recordOutcomes } from '../../../src/reactors/webhooks/record-outcomes.ts';
import { createWebhookDeliveries } from '../../../src/reactors/webhooks/webhook-deliveries.ts';
import { createHttpsSender } from '../../../src/webhooks/https-sender.ts';
import { testDeps } from '../../support/event-store.ts';
import { until } from '../../support/until.ts';
import { hang, startReceiver, status } from '../../support/webhook-receiver.ts';
import {
  createWebhookSite,
  webhookMeta as meta,
  type WebhookSite,
} from '../../support/webhook-site.ts';

function deliveriesOf(t: { teardown: (end: () => void) => void }, site: WebhookSite) {
  const rules = { allowHttp: true, allowPrivate: true, ports: null };
  const sender = createHttpsSender({ rules });
  t.teardown(() => sender.close());
  const stop = new AbortController();
  const { pool, db, store, clock } = site;
  const deps = { pool, db, store, sender, newId: ulid, now: clock.now, cancelled: stop.signal };
  return { ...createWebhookDeliveries(deps), stop: () => stop.abort() };
}

async function happen(site: WebhookSite): Promise<void> {
  const { organisationId } = site.uploads;
  await createWorkspace({ ...testDeps, store: site.store }, { organisationId, name: 'W' }, meta);
  await site.enqueue();
}

test('the delivery log shows every delivery with its result, newest first', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t, { script: status(500) });
  const { webhookId } = await site.register(receiver.url);
  const other = await site.register('http://127.0.0.1:1/');
  const deliveries = deliveriesOf(t, site);
  const list = (page: number) => deliveries.list(webhookId, { page, limit: 2 });
  t.strictSame(await list(1), { items: [], total: 0 });
  for (let n = 0; n < 3; n += 1) await happen(site);
  const before = await list(1);
  t.match(before, { total: 3, items: [{ attempts: 0, lastAttemptAt: null }, { attempts: 0 }] });
  t.match(before.items[0], { type: 'workspace.created', status: 'pending', error: null });
  t.strictSame(await deliveries.last([webhookId, other.webhookId]), new Map());
  const process = site.start();
  await until('all deliveries were attempted', async () => {
    process.hint();
    return (await site.rows()).every((row) => row.attempts === 1 && row.lease === null);
  });
  const [first, second] = [await list(1), await list(2)];
  const ids = [...first.items, ...second.items].map(({ id }) => id);
  t.strictSame(ids, [...ids].sort().reverse());
  t.equal(ids.length, 3);
  t.match(first.items[0], { status: 'pending', responseStatus: 500, attempts: 1, error: null });
  t.ok(Date.parse(first.items[0]?.nextAttemptAt ?? '') > site.clock.now().getTime());
  const last = await deliveries.last([webhookId, other.webhookId]);
  t.match(last.get(webhookId), { responseStatus: 500 });
  t.match(last.get(other.webhookId), { responseStatus: null, error: 'unreachable' });
});

test('a retry sends at once in any state, and restarts the schedule', async (t) => {
  const site = await createWebhookSite(t);
  const script = status(503, { 'retry-after': '3000' });
  const receiver = await startReceiver(t, { script });
  const { webhookId } = await site.register(receiver.url);
  const deliveries = deliveriesOf(t, site);
  await happen(site);
  const process = site.start();
  const { id } = await site.row('it failed', (row) => row.attempts === 1 && row.lease === null);
  t.match(await deliveries.retry(webhookId, id), { id, status: 'pending', attempts: 1 });
  process.hint();
  const again = await site.row(
    'it failed again',
    (row) => row.attempts === 2 && row.lease === null,
  );
  t.equal(again.failures, 1);
  receiver.answer(status(204));
  for (const attempts of [3, 4]) {
    t.match(await deliveries.retry(webhookId, id), { status: 'pending' });
    process.hint();
    const row = await site.row('it was sent', (one) => one.attempts === attempts && !one.lease);
    t.equal(row.status, 'delivered');
  }
  const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
  t.strictSame(sent, [id, id, id, id]);
  const other = await site.register(receiver.url);
  t.equal(await deliveries.retry(other.webhookId, id), null, 'not a delivery of that endpoint');
  t.equal(await deliveries.retry(webhookId, ulid()), null);
});

test('a retry right after recording a 503 does not wait for Retry-After', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register();
  const deliveries = deliveriesOf(t, site);
  await happen(site);
  const at = site.clock.now();
  const room = { healthy: 1, failing: 1, perEndpoint: 1, busy: new Map() };
  const [claim] = await claimDeliveries(site.pool, room, ulid(), at);
  if (claim === undefined) throw new Error('nothing was claimed');
  const answer = { status: 503, error: null, retryAfter: '3000', durationMs: 1 };
  const outcome = deliveryOutcome(claim, at, answer, at, 0.5);
  const retrying = Object.create(site.pool, {
    query: {
      value: async (config: QueryConfig) => {
        const result = await site.pool.query(config);
        if (config.text.includes('UPDATE webhook_deliveries')) {
          await deliveries.retry(webhookId, claim.id);
        }
        return result;
      },
    },
  });
  await recordOutcomes(retrying, [outcome], at);
  const again = await claimDeliveries(site.pool, room, ulid(), site.clock.now());
  t.match(again, [{ id: claim.id }]);
});

test('a held delivery is sent after its endpoint is enabled and a retry is ordered', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t);
  const { webhookId } = await site.register(receiver.url);
  const deliveries = deliveriesOf(t, site);
  await site.disable(webhookId);
  await happen(site);
  const process = site.start();
  process.hint();
  const [held] = (await deliveries.list(webhookId, { page: 1, limit: 9 })).items;
  t.match(held, { status: 'held', nextAttemptAt: null });
  await site.change(webhookId, { status: 'active' });
  await site.enqueue();
  process.hint();
  t.equal(receiver.received.length, 0, 'not without a retry');
  await deliveries.retry(webhookId, held?.id ?? '');
  process.hint();
  await site.row('it was sent', ({ status }) => status === 'delivered');
});

test('a retry is not undone by earlier changes of its endpoint', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register('http://127.0.0.1:1/');
  const deliveries = deliveriesOf(t, site);
  await happen(site);
  const [row] = await site.rows();
  await site.disable(webhookId);
  await site.change(webhookId, { status: 'active' });
  // Enqueuing has read neither event yet.
  const retrying = deliveries.retry(webhookId, row?.id ?? '');
  await site.enqueue();
  t.match(await retrying, { status: 'pending' });
  await site.enqueue();
  t.match(await site.rows(), [{ status: 'pending' }]);
});

test('a test delivery is signed, returns its result and appears in the log', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t);
  const { webhookId, secret } = await site.register(receiver.url);
  const { organisationId } = site.uploads;
  const deliveries = deliveriesOf(t, site);
  const tested = { webhookId, organisationId, url: receiver.url, secrets: [secret] };
  t.match(await deliveries.test(tested), { delivered: true, status: 204, error: null });
  const [request] = receiver.received;
  const message = new Webhook(secret).verify(request?.body ?? '', { ...request?.headers });
  t.match(message, { type: 'webhook.test', data: { id: webhookId } });
  receiver.answer(status(500));
  t.match(await deliveries.test(tested), { delivered: false, status: 500, error: null });
  const refused = { ...tested, url: 'ftp://example.com' };
  t.match(await deliveries.test(refused), { delivered: false, error: 'url not allowed' });
  // Enqueuing had not read the registration before.
  await site.enqueue();
  const { items, total } = await deliveries.list(webhookId, { page: 1, limit: 9 });
  t.equal(total, 3);
  t.strictSame(items.map((item) => item.status).sort(), ['delivered', 'failed', 'failed']);
  t.ok(items.every((item) => item.attempts === 1 && item.nextAttemptAt === null));
  t.equal((await deliveries.last([webhookId])).get(webhookId)?.error, 'url not allowed');
  await happen(site);
  t.equal((await site.rows()).length, 4, 'the endpoint receives later events');
});

test('a test delivery under way is cancelled when the service stops', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t, { script: hang });
  const { webhookId, secret } = await site.register(receiver.url);
  const { organisationId } = site.uploads;
  const deliveries = deliveriesOf(t, site);
  const testing = deliveries.test({
    webhookId,
    organisationId,
    url: receiver.url,
    secrets: [secret],
  });
  await until('the test delivery has arrived', async () => receiver.received.length === 1);
  deliveries.stop();
  t.match(await testing, { delivered: false, status: null, error: 'cancelled' });
});

test('prunes deliveries settled a month ago, never pending ones', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  for (let n = 0; n < 4; n += 1) await happen(site);
  const monthMs = 30 * 86_400_000;
  const old = encodeTime(Date.now() - monthMs - 1_000);
  await site.pool.query(`
    UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL
    WHERE id IN (SELECT id FROM webhook_deliveries ORDER BY id LIMIT 3)`);
  await site.pool.query(
    `UPDATE webhook_deliveries SET id = $1 || substr(id, 11) WHERE id IN
       (SELECT id FROM webhook_deliveries WHERE status = 'delivered' ORDER BY id LIMIT 2)`,
    [old],
  );
  t.equal(await pruneDeliveries(site.pool, new Date()), 2);
  t.equal(await pruneDeliveries(site.pool, new Date()), 0);
  t.equal((await site.rows()).length, 2);
  t.equal(await pruneDeliveries(site.pool, new Date(Date.now() + monthMs + 60_000)), 1);
  t.match(await site.rows(), [{ status: 'pending' }]);
});
