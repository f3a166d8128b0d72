import type { QueryConfig } from 'pg';
import { Webhook } from 'standardwebhooks';
import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { rotateWebhookSecret } from '../../../src/commands/rotate-webhook-secret.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import { webhookDecider } from '../../../src/domain/webhook/decider.ts';
import { load } from '../../../src/event-store/handling/load.ts';
import { claimDeliveries } from '../../../src/reactors/webhooks/claim-deliveries.ts';
import type { WebhookSender } from '../../../src/webhooks/contract.ts';
import { pauseAfter } from '../../../src/webhooks/retry-schedule.ts';
import { testDeps } from '../../support/event-store.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { until } from '../../support/until.ts';
import {
  endlessBody,
  hang,
  reset,
  type Script,
  slowBody,
  startReceiver,
  status,
} from '../../support/webhook-receiver.ts';
import {
  createWebhookSite,
  type DeliveringProcess,
  type DeliveryRow,
  webhookMeta as meta,
  type WebhookSite,
} from '../../support/webhook-site.ts';

/** Triggers an event that endpoints are notified of. */
function happen(site: WebhookSite): Promise<string> {
  const { organisationId } = site.uploads;
  return createWorkspace({ ...testDeps, store: site.store }, { organisationId, name: 'W' }, meta);
}

/** One delivery to a receiver with scripted answers. */
async function oneDelivery(t: Test, script: Script = status(204)) {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t, { script });
  const endpoint = await site.register(receiver.url);
  const resourceId = await happen(site);
  await site.enqueue();
  return { site, receiver, resourceId, ...endpoint };
}

async function stateOf({ store }: WebhookSite, webhookId: WebhookId) {
  return (await load(store, streams.webhook(webhookId), webhookDecider)).state;
}

/** Does `work` after each query of the site's pool that contains the text. */
function afterQuery({ pool }: WebhookSite, text: string, work: () => Promise<unknown>): void {
  const query = pool.query.bind(pool) as (config: unknown, ...rest: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    query: async (config: string | QueryConfig, ...rest: unknown[]) => {
      const result = await query(config, ...rest);
      const asked = typeof config === 'string' ? config : config.text;
      if (asked.includes(text)) await work();
      return result;
    },
  });
}

/** Sends hints until the row has `count` attempts and no lease. */
function attempted(site: WebhookSite, process: DeliveringProcess, count: number) {
  return site.row(`${count} attempts`, (row) => {
    process.hint();
    return row.attempts === count && row.lease === null;
  });
}

/** Claims as another process does at this time, for every endpoint. */
function claimAt({ pool }: WebhookSite, at: Date) {
  const room = { healthy: 9, failing: 9, perEndpoint: 9, busy: new Map<string, number>() };
  return claimDeliveries(pool, room, ulid(), at);
}

test('a delivery is signed so that the Standard Webhooks package verifies it', async (t) => {
  const { site, receiver, resourceId, secret } = await oneDelivery(t);
  site.start();
  const row = await site.row('it is delivered', ({ status }) => status === 'delivered');
  t.match(row, { attempts: 1, failures: 0, response_status: 204, due_at: null, lease: null });
  const [request] = receiver.received;
  const message = new Webhook(secret).verify(request?.body ?? '', { ...request?.headers });
  t.match(message, { type: 'workspace.created', data: { id: resourceId } });
  t.equal(request?.headers['webhook-id'], row.id);
  t.equal(request?.headers['content-type'], 'application/json');
});

test('during a secret rotation both secrets verify, afterwards only the new one', async (t) => {
  const { site, receiver, secret, webhookId } = await oneDelivery(t);
  const { organisationId } = site.uploads;
  const of = { organisationId, webhookId };
  const now = site.clock.now;
  const deps = { ...testDeps, store: site.store, now };
  const rotated = await rotateWebhookSecret(deps, of, 3_600, meta);
  const process = site.start();
  await attempted(site, process, 1);
  // The package checks the time too, so it can verify only current signatures.
  const signatures = (n: number) =>
    receiver.received[n]?.headers['webhook-signature']?.split(' ').length;
  const verify = (key: string, n: number) => {
    const request = receiver.received[n];
    return new Webhook(key).verify(request?.body ?? '', { ...request?.headers });
  };
  t.ok(verify(secret, 0));
  t.ok(verify(rotated.secret, 0));
  t.equal(signatures(0), 2);
  site.clock.advance(3_601_000);
  await happen(site);
  await site.enqueue();
  await until('the next delivery', async () => {
    process.hint();
    return receiver.received.length === 2;
  });
  t.equal(signatures(1), 1);
});

test('only a 2xx is success, anything else is retried after 5 s', async (t) => {
  const scripts: [Script, number | null, string | null][] = [
    ...[301, 302, 307, 400, 401, 404, 500, 502].map((code): [Script, number, null] => [
      status(code, { location: '/' }),
      code,
      null,
    ]),
    [reset, null, 'connection lost'],
    [hang, null, 'timeout'],
  ];
  const site = await createWebhookSite(t);
  for (const [script] of scripts) {
    const receiver = await startReceiver(t, { script });
    await site.register(receiver.url);
  }
  for (const script of [status(200), status(299), slowBody, endlessBody]) {
    const receiver = await startReceiver(t, { script });
    await site.register(receiver.url);
  }
  await happen(site);
  await site.enqueue();
  site.start({ timeoutMs: await onThisMachine(2_000) });
  // The first ones are tried again while the slowest ones are still under way on a slow machine.
  const first = new Map<string, DeliveryRow>();
  const rows = await until('all deliveries were attempted', async () => {
    const now = await site.rows();
    for (const row of now) if (row.attempts === 1 && row.lease === null) first.set(row.id, row);
    return first.size === now.length && [...first.values()];
  });
  const failed = rows.filter((row) => row.status === 'pending');
  t.equal(rows.filter((row) => row.status === 'delivered').length, 4);
  const outcomes = failed.map((row) => `${row.response_status} ${row.trouble}`).sort();
  t.strictSame(outcomes, scripts.map(([, code, trouble]) => `${code} ${trouble}`).sort());
});

test('a delivery that always fails is tried ten times on schedule and then given up', async (t) => {
  const { site, receiver } = await oneDelivery(t, status(500));
  const process = site.start();
  let lastAttempt = site.clock.now().getTime();
  const pausesMs = Array.from({ length: 9 }, (_, before) => pauseAfter(before + 1, null, 0.5) ?? 0);
  for (const [index, pauseMs] of pausesMs.entries()) {
    const row = await attempted(site, process, index + 1);
    const waitsMs = (row.due_at?.getTime() ?? 0) - lastAttempt;
    t.ok(waitsMs >= pauseMs && waitsMs < pauseMs + 30_000, `${waitsMs} after ${pauseMs}`);
    t.match(row, { status: 'pending', failures: index + 1 });
    const dueAt = row.due_at?.getTime() ?? 0;
    t.strictSame(await claimAt(site, new Date(dueAt - 1)), [], 'not before it is due');
    t.equal(receiver.received.length, index + 1);
    site.clock.advance(dueAt - site.clock.now().getTime());
    lastAttempt = site.clock.now().getTime();
  }
  const last = await attempted(site, process, pausesMs.length + 1);
  t.match(last, { status: 'failed', due_at: null, response_status: 500 });
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  t.strictSame([...ids], [last.id], 'same id at every attempt');
  const bodies = new Set(receiver.received.map(({ body }) => body));
  t.equal(bodies.size, 1);
});

test('a receiver that recovers gets the delivery at the next attempt', async (t) => {
  const { site, receiver } = await oneDelivery(t, status(503));
  const process = site.start();
  await attempted(site, process, 1);
  receiver.answer(status(200));
  site.clock.advance(5_000);
  t.match(await attempted(site, process, 2), { status: 'delivered', response_status: 200 });
});

test('after 429 or 503 nothing is sent before Retry-After has passed', async (t) => {
  for (const code of [429, 503]) {
    const { site, receiver } = await oneDelivery(t, status(code, { 'retry-after': '120' }));
    const process = site.start();
    const row = await attempted(site, process, 1);
    const waitsMs = (row.due_at?.getTime() ?? 0) - site.clock.now().getTime();
    t.ok(waitsMs > 90_000 && waitsMs <= 120_000, `${waitsMs}`);
    const other = await startReceiver(t);
    await site.register(other.url);
    await happen(site);
    await site.enqueue();
    await until('the other endpoint has its delivery', async () => {
      process.hint();
      return other.received.length === 1;
    });
    t.equal(receiver.received.length, 1);
    receiver.answer(status(204));
    site.clock.advance(121_000);
    await until('both deliveries are recorded', async () => {
      process.hint();
      return (await site.rows()).every((one) => one.status === 'delivered');
    });
    t.equal(receiver.received.length, 3);
    await process.stop();
  }
});

test('a changed endpoint is not delayed by the earlier Retry-After', async (t) => {
  const { site, webhookId } = await oneDelivery(t, status(429, { 'retry-after': '3000' }));
  const process = site.start();
  await attempted(site, process, 1);
  const next = await startReceiver(t);
  await site.change(webhookId, { url: next.url });
  await site.enqueue();
  const { rows } = await site.pool.query('SELECT * FROM webhook_endpoints');
  t.match(rows, [{ failing_since: null, resting_until: null }]);
  await happen(site);
  await site.enqueue();
  await until('the changed address gets the delivery', async () => {
    process.hint();
    return next.received.length === 1;
  });
});

test('a late Retry-After of the earlier address does not delay the new one', async (t) => {
  const { site, receiver, webhookId } = await oneDelivery(t);
  const next = await startReceiver(t);
  receiver.answer(async (...request) => {
    await site.change(webhookId, { url: next.url });
    await site.enqueue();
    status(503, { 'retry-after': '3000' })(...request);
  });
  const process = site.start();
  const row = await attempted(site, process, 1);
  t.match(row, { status: 'pending', response_status: 503 });
  const { rows } = await site.pool.query('SELECT * FROM webhook_endpoints');
  t.match(rows, [{ failing_since: null, resting_until: null, last_delivery_id: row.id }]);
  await happen(site);
  await site.enqueue();
  await until('the new address gets the delivery', async () => {
    process.hint();
    return next.received.length === 1;
  });
});

test('410 disables the endpoint and holds its deliveries', async (t) => {
  const { site, receiver, webhookId } = await oneDelivery(t, status(410));
  const process = site.start();
  await attempted(site, process, 1);
  t.match(await stateOf(site, webhookId), { status: 'disabled', reason: 'gone' });
  await happen(site);
  await site.enqueue();
  site.clock.advance(86_400_000);
  process.hint();
  t.match(await site.rows(), [{ status: 'held' }, { status: 'held' }]);
  t.equal(receiver.received.length, 1);
});

test('410 of an earlier address does not disable the endpoint', async (t) => {
  const { site, webhookId } = await oneDelivery(t, status(204));
  const sender: WebhookSender = {
    checkUrl: async () => null,
    close: () => {},
    async send() {
      await site.change(webhookId, { url: 'https://moved.example.com/' });
      return { status: 410, error: null, retryAfter: undefined, durationMs: 1 };
    },
  };
  await attempted(site, site.start({ sender }), 1);
  t.match(await stateOf(site, webhookId), { status: 'active' });
});

test('an endpoint that fails for five days without one success is disabled', async (t) => {
  const hourMs = 3_600_000;
  for (const recovers of [false, true]) {
    const { site, receiver, webhookId } = await oneDelivery(t, status(500));
    const process = site.start();
    await attempted(site, process, 1);
    let count = 1;
    const another = async () => {
      await happen(site);
      await site.enqueue();
      count += 1;
      await until('the delivery was attempted', async () => {
        process.hint();
        const rows = await site.rows();
        return rows.filter((row) => row.attempts > 0 && row.lease === null).length === count;
      });
    };
    site.clock.advance(119 * hourMs);
    await another();
    t.match(await stateOf(site, webhookId), { status: 'active' });
    if (recovers) {
      receiver.answer(status(204));
      await another();
      receiver.answer(status(500));
    }
    site.clock.advance(hourMs + 60_000);
    if (recovers) {
      await another();
      t.match(await stateOf(site, webhookId), { status: 'active' });
    } else {
      // Retries of earlier failures are due by now.
      await until('the endpoint is disabled', async () => {
        process.hint();
        return (await stateOf(site, webhookId)).status === 'disabled';
      });
      t.match(await stateOf(site, webhookId), { reason: 'failing' });
    }
    await process.stop();
  }
});

test('a failure from before a change does not disable the changed endpoint', async (t) => {
  const failsSince = async ({ pool }: WebhookSite) =>
    pool.query("UPDATE webhook_endpoints SET failing_since = now() - interval '6 days'");
  const url = 'https://moved.example.com/';
  // Enqueuing reads none of these changes before the failure is recorded.
  const changes = {
    moved: (site: WebhookSite, id: WebhookId) => site.change(id, { url }),
    async 'enabled again'(site: WebhookSite, id: WebhookId) {
      await site.disable(id);
      await site.change(id, { status: 'active' });
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    const { site, receiver, webhookId } = await oneDelivery(t);
    await failsSince(site);
    receiver.answer(async (...request) => {
      await change(site, webhookId);
      status(500)(...request);
    });
    const process = site.start();
    await attempted(site, process, 1);
    await process.stop();
    t.match(await stateOf(site, webhookId), { status: 'active' }, name);
  }

  const { site, webhookId } = await oneDelivery(t, status(500));
  await failsSince(site);
  afterQuery(site, 'UPDATE webhook_endpoints', () => changes.moved(site, webhookId));
  const process = site.start();
  await attempted(site, process, 1);
  await process.stop();
  t.match(await stateOf(site, webhookId), { status: 'active' }, 'moved right after recording');
});

test('deleting or disabling an endpoint stops its pending deliveries', async (t) => {
  for (const end of ['remove', 'disable'] as const) {
    const { site, receiver, webhookId } = await oneDelivery(t, status(500));
    const process = site.start();
    await attempted(site, process, 1);
    await site[end](webhookId);
    // Enqueuing has not read the event yet, so the worker checks the endpoint itself.
    site.clock.advance(10_000);
    const row = await site.row('it is held', ({ status }) => {
      process.hint();
      return status === 'held';
    });
    t.match(row, { attempts: 1, lease: null });
    await site.enqueue();
    t.equal((await site.rows()).length, end === 'remove' ? 0 : 1);
    t.equal(receiver.received.length, 1);
    t.strictSame(process.errors, []);
    await process.stop();
  }
});

test('after a crash between sending and recording, sends again with the same id', async (t) => {
  const { site, receiver } = await oneDelivery(t);
  // Sends the request and never returns.
  const gone: WebhookSender['send'] = async (request) => {
    const { method, headers, body } = { method: 'POST', ...request };
    await fetch(request.url, { method, headers: { ...headers }, body });
    return new Promise(() => {});
  };
  const limits = { healthy: 1, failing: 0, perEndpoint: 1 };
  const begun = site.clock.now().getTime();
  site.start({ sender: { ...silent, send: gone }, limits });
  await until('the delivery has arrived', async () => receiver.received.length === 1);
  const { rows } = await site.pool.query('SELECT leased_until FROM webhook_deliveries');
  const leaseEnds: number = rows[0].leased_until.getTime();
  t.ok(leaseEnds - begun >= 60_000, 'longer than an attempt may take');
  const early = await claimAt(site, new Date(leaseEnds - 1_000));
  t.strictSame(early, [], 'no process claims it during the lease');
  t.match(await site.rows(), [{ status: 'pending', attempts: 0 }]);
  site.clock.advance(60_001);
  const process = site.start();
  const row = await attempted(site, process, 1);
  t.equal(row.status, 'delivered');
  t.strictSame(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [row.id, row.id],
  );
});

const silent = { checkUrl: async () => null, close: () => {} };

test('several processes send each delivery once', async (t) => {
  const site = await createWebhookSite(t);
  const receiver = await startReceiver(t);
  const endpoints = 3;
  for (let n = 0; n < endpoints; n += 1) await site.register(`${receiver.url}/${n}`);
  const events = 60;
  const processes = [site.start(), site.start(), site.start()];
  for (let n = 0; n < events; n += 1) await happen(site);
  await site.enqueue();
  await until('all deliveries are recorded', async () => {
    for (const process of processes) process.hint();
    return (await site.rows()).every((row) => row.status === 'delivered');
  });
  t.equal(receiver.received.length, events * endpoints);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  t.equal(new Set(ids).size, events * endpoints);
});

test('a hanging endpoint does not delay others, however many deliveries it has', async (t) => {
  const site = await createWebhookSite(t);
  const [slow, failing, good] = [
    await startReceiver(t, { script: hang }),
    await startReceiver(t, { script: status(500) }),
    await startReceiver(t),
  ];
  for (const { url } of [slow, failing, good]) await site.register(url);
  const process = site.start({ limits: { healthy: 6, failing: 2, perEndpoint: 4 } });
  const events = 40;
  for (let n = 0; n < events; n += 1) await happen(site);
  await site.enqueue();
  await until('the good endpoint has all its deliveries', async () => {
    process.hint();
    return good.received.length === events;
  });
  t.ok(slow.received.length <= 4, 'the hanging endpoint has its own share of the slots');
  const claimed = (await site.rows()).filter((row) => row.lease !== null);
  t.ok(claimed.length <= 8);
});

test('a stopping process records finished deliveries and leaves the rest to others', async (t) => {
  const site = await createWebhookSite(t);
  const [slow, good] = [await startReceiver(t, { script: hang }), await startReceiver(t)];
  for (const { url } of [slow, good]) await site.register(url);
  await happen(site);
  await site.enqueue();
  const process = site.start({ graceMs: 1_000 });
  await until(
    'both deliveries have arrived',
    async () => good.received.length + slow.received.length === 2,
  );
  await process.stop();
  const statuses = (await site.rows()).map((row) => `${row.status} ${row.attempts} ${row.lease}`);
  t.strictSame(statuses.sort(), ['delivered 1 null', 'pending 0 null']);
  slow.answer(status(204));
  site.start().hint();
  await until('the other delivery is recorded', async () =>
    (await site.rows()).every((row) => row.status === 'delivered'),
  );
});

test('an internal fault postpones the delivery and does not count against the endpoint', async (t) => {
  const { site, webhookId } = await oneDelivery(t);
  let broken = true;
  const process = site.start({
    buildData: async ({ resourceId }) => {
      if (broken) throw new Error('cannot be built');
      return { id: resourceId };
    },
  });
  const row = await site.row('it is postponed', ({ failures }) => failures === 1);
  t.match(row, { status: 'pending', attempts: 0, trouble: 'internal fault', lease: null });
  t.equal(process.errors.length, 1);
  broken = false;
  site.clock.advance(10_000);
  t.match(await attempted(site, process, 1), { status: 'delivered', trouble: null });
  t.match(await stateOf(site, webhookId), { status: 'active' });
});
