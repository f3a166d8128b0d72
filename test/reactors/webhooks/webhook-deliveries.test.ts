import { setTimeout as delay } from 'node:timers/promises';
import type { QueryConfig } from 'pg';
import { Webhook } from 'standardwebhooks';
import { test } from 'tap';
import { encodeTime, ulid } from 'ulid';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import type { OrganisationId, WebhookId } from '../../../src/domain/ulid.ts';
import { claimDeliveries } from '../../../src/reactors/webhooks/claim-deliveries.ts';
import { pruneDeleted, pruneDeliveries } from '../../../src/reactors/webhooks/delivery-log.ts';
import { enqueuingName } from '../../../src/reactors/webhooks/enqueuing.ts';
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

function deliveriesOf(
  t: { teardown: (end: () => void) => void },
  site: WebhookSite,
  retryLimits?: Parameters<typeof createWebhookDeliveries>[0]['retryLimits'],
) {
  const rules = { allowHttp: true, allowPrivate: true, ports: null };
  const sender = createHttpsSender({ rules });
  t.teardown(() => sender.close());
  const stop = new AbortController();
  const { pool, db, store, clock } = site;
  const deps = { pool, db, store, sender, newId: ulid, now: clock.now, cancelled: stop.signal };
  return { ...createWebhookDeliveries({ ...deps, retryLimits }), stop: () => stop.abort() };
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
  t.equal(await deliveries.has(webhookId, id), true);
  t.equal(await deliveries.has(other.webhookId, id), false);
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
  const attempt = { at, endpointVersion: 1, url: 'https://hooks.example.com/' };
  const outcome = deliveryOutcome(claim, attempt, answer, at, 0.5);
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

test('failed and held deliveries since a time are sent again, the oldest first', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register();
  const other = await site.register();
  const deliveries = deliveriesOf(t, site);
  const day = (n: number) => Date.UTC(2026, 0, n);
  const add = (endpoint: string, n: number, status: string, kind = 'document.created') =>
    site.pool.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, position,
         occurred_at, status, attempts, failures) VALUES ($1, $2, $3, $4, 'x', 1, $5, $6, 10, 10)`,
      [
        ...[ulid(day(n)), endpoint, site.uploads.organisationId, kind],
        ...[new Date(day(n)).toISOString(), status],
      ],
    );
  for (const n of [1, 3, 4, 5]) await add(webhookId, n, 'failed');
  await add(webhookId, 6, 'held');
  await add(webhookId, 7, 'delivered');
  await add(webhookId, 8, 'failed', 'webhook.test');
  await add(other.webhookId, 4, 'failed');
  const since = new Date(day(3));
  const admitted: number[] = [];
  const admit = async (count: number) => void admitted.push(count);
  const of = { organisationId: site.uploads.organisationId, webhookId };
  const retry = () => deliveries.retryFailed(of, { since, most: 3 }, admit);
  const refused = deliveries.retryFailed(of, { since, most: 3 }, async () => {
    throw new Error('too many requests');
  });
  await t.rejects(refused, { message: 'too many requests' });
  t.strictSame(await retry(), { retried: 3, remaining: 1 });
  const own = (await site.rows()).filter((row) => row.webhook_id === webhookId);
  t.strictSame(
    own.map(({ status }) => status),
    ['failed', 'pending', 'pending', 'pending', 'held', 'delivered', 'failed'],
  );
  t.ok(own.filter(({ due_at: due }) => due !== null).every(({ failures }) => failures === 0));
  t.strictSame(await retry(), { retried: 1, remaining: 0 });
  t.strictSame(await retry(), { retried: 0, remaining: 0 });
  t.strictSame(admitted, [3, 1], 'nothing is admitted if nothing failed');
  const left = (await site.rows()).filter(({ status }) => status === 'failed');
  t.equal(left.length, 3, 'an earlier one, a test, and that of the other endpoint');
});

/** Five failed deliveries of an endpoint. */
async function addFailed(site: WebhookSite, webhookId: WebhookId): Promise<void> {
  const text = `INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, position,
      occurred_at, status, attempts, failures)
    SELECT '01M7XT7V0YJ4K5M6N7P8Q9R0' || to_char(n, 'FM00'), $1, $2, 'document.created', 'x', 1,
      '2026-11-24T00:00:00.000Z', 'failed', 10, 10
    FROM generate_series(1, 5) n`;
  await site.pool.query(text, [webhookId, site.uploads.organisationId]);
}

test('a retry of all that is slow delays no other organisation, and ends', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register();
  await addFailed(site, webhookId);
  await site.enqueue();
  const deliveries = deliveriesOf(t, site, { admitMs: 1_500, patienceMs: 20 });
  const order = { since: new Date(0), most: 5_000 };
  const of = { organisationId: site.uploads.organisationId, webhookId };
  const admitting = Promise.withResolvers<void>();
  const slow = deliveries.retryFailed(of, order, () => {
    admitting.resolve();
    return new Promise(() => {});
  });
  const ended = t.rejects(slow, { name: 'RetriesBusy' }, 'before PostgreSQL ends the session');
  await admitting.promise;
  const never = () => t.fail('it is not admitted');
  await t.rejects(
    deliveries.retryFailed(of, order, async () => void never()),
    { name: 'RetriesBusy' },
    'one at a time for an organisation',
  );
  const other = { organisationId: ulid() as OrganisationId, webhookId: ulid() as WebhookId };
  const nothing = { retried: 0, remaining: 0 };
  t.strictSame(await deliveries.retryFailed(other, order, async () => {}), nothing);
  await ended;
  t.ok(
    (await site.rows()).every(({ status }) => status === 'failed'),
    'nothing is due',
  );
  t.match(await deliveries.retryFailed(of, order, async () => {}), { retried: 5 });
});

test('of two retries of all in two processes, one admits each delivery', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register();
  await addFailed(site, webhookId);
  await site.enqueue();
  const of = { organisationId: site.uploads.organisationId, webhookId };
  const processes = [deliveriesOf(t, site), deliveriesOf(t, site)] as const;
  const [admitting, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const admitted: number[] = [];
  const order = { since: new Date(0), most: 5_000 };
  const first = processes[0].retryFailed(of, order, async (count) => {
    admitted.push(count);
    admitting.resolve();
    await going.promise;
  });
  await admitting.promise;
  const others = processes.map((each) =>
    each.retryFailed(of, order, async (count) => void admitted.push(count)),
  );
  await until('the other process waits', async () => {
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return (await site.pool.query(waiting)).rowCount === 1;
  });
  going.resolve();
  t.strictSame(await first, { retried: 5, remaining: 0 });
  const nothing = { retried: 0, remaining: 0 };
  t.strictSame(await Promise.all(others), [nothing, nothing]);
  t.strictSame(admitted, [5]);
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
  // The next delivery of the endpoint shows that the process has looked for due ones meanwhile.
  await happen(site);
  await until('a later delivery is sent', async () => {
    process.hint();
    return (await site.rows()).some(({ status }) => status === 'delivered');
  });
  const rowOfHeld = async () => (await site.rows()).find(({ id }) => id === held?.id);
  t.match(await rowOfHeld(), { status: 'held', attempts: 0, due_at: null }, 'not without a retry');
  t.equal(receiver.received.length, 1);
  await deliveries.retry(webhookId, held?.id ?? '');
  await until('it was sent', async () => {
    process.hint();
    return (await rowOfHeld())?.status === 'delivered';
  });
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

test('a test delivery of an endpoint that is deleted meanwhile leaves no row', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t, { script: hang });
  const { webhookId, secret } = await site.register(receiver.url);
  const { organisationId } = site.uploads;
  await site.enqueue();
  const deliveries = deliveriesOf(t, site);
  const tested = { webhookId, organisationId, url: receiver.url, secrets: [secret] };
  const testing = deliveries.test(tested);
  await until('the test delivery has arrived', async () => receiver.received.length === 1);
  await site.remove(webhookId);
  await site.enqueue();
  deliveries.stop();
  t.match(await testing, { delivered: false });
  const left = async () => (await site.pool.query('SELECT * FROM webhook_endpoints')).rows;
  t.strictSame([await left(), await site.rows()], [[], []]);

  // As earlier releases did.
  await site.pool.query(
    `INSERT INTO webhook_endpoints (webhook_id, organisation_id, kinds, active, since)
     VALUES ($1, $2, '{}', false, 0)`,
    [webhookId, organisationId],
  );
  await pruneDeleted(site.pool);
  t.strictSame(await left(), []);
});

test('many test deliveries that end while enqueuing works leave it connections', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t);
  const { webhookId, secret } = await site.register(receiver.url);
  const { organisationId } = site.uploads;
  const deliveries = deliveriesOf(t, site);
  const tested = { webhookId, organisationId, url: receiver.url, secrets: [secret] };
  const enqueuing = await site.pool.connect();
  await enqueuing.query('BEGIN');
  await enqueuing.query('SELECT FROM checkpoints WHERE name = $1 FOR UPDATE', [enqueuingName]);
  const waiting = async () => {
    // Within a transaction PostgreSQL shows the activity as it was first asked for.
    await enqueuing.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await enqueuing.query(
      `SELECT count(*) AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].count;
  };
  // More than the pool has connections.
  const testing = Array.from({ length: 15 }, () => deliveries.test(tested));
  await until('all tests are answered', async () => receiver.received.length === 15);
  await until('a test waits for enqueuing', async () => (await waiting()) > 0);
  await delay(300);
  t.equal(await waiting(), 1);
  t.equal(site.pool.waitingCount, 0, 'a connection is free');
  await enqueuing.query('COMMIT');
  enqueuing.release();
  for (const outcome of await Promise.all(testing)) t.match(outcome, { delivered: true });
  t.equal((await deliveries.list(webhookId, { page: 1, limit: 1 })).total, 15);
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
