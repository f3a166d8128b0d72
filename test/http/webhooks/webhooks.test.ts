import { test } from 'tap';
import { ulid } from 'ulid';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import type { Delivery } from '../../../src/webhooks/contract.ts';
import { joinHttpService, operator, startHttpService } from '../../support/http-service.ts';
import { createScriptedDeliveries } from '../../support/scripted-deliveries.ts';

const url = 'https://hooks.example/in?token=T0K3N';
const json = { url, events: ['document.created'] };

test('an endpoint is registered with its secret, which is never shown again', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const description = 'ünïcode <b> "quoted" \u{1f512}';
  const events = ['upload.failed', 'document.created', 'upload.failed'];
  const made = await service.call('POST', '/webhooks', { key, json: { url, events, description } });
  t.equal(made.status, 201);
  const { secret, ...item } = made.body.data;
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.match(item.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.strictSame(item, {
    ...{ id: item.id, createdAt: item.createdAt, url, description, status: 'active' },
    ...{ events: ['upload.failed', 'document.created'], disabledAt: null, lastDelivery: null },
  });
  const list = await service.call('GET', '/webhooks', { key });
  t.strictSame([list.status, list.body], [200, { success: true, data: [item] }]);
  const path = `/webhooks/${item.id}`;
  const patched = await service.call('PATCH', path, { key, json: { status: 'disabled' } });
  t.notOk(`${list.text}${patched.text}`.includes('whsec_'));
  const other = await service.call('POST', '/webhooks', { key, json });
  t.not(other.body.data.secret, secret, 'each endpoint has its own secret');
  t.equal(other.body.data.description, null);
});

test('the list shows every change at once, in order of registration', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const stranger = await service.openOrganisation();
  const list = async () => (await service.call('GET', '/webhooks', { key })).body.data;
  t.strictSame(await list(), []);
  const expected: { id: string }[] = [];
  for (let i = 0; i < 6; i += 1) {
    const { body } = await service.call('POST', '/webhooks', { key, json });
    const { secret: _, ...item } = body.data;
    expected.push(item);
    t.strictSame(await list(), expected);
  }
  for (const change of [
    { url: 'https://other.example/ü' },
    { events: ['proof.failed'] },
    { description: 'x' },
  ]) {
    const { id } = expected[2] ?? { id: '' };
    const { body } = await service.call('PATCH', `/webhooks/${id}`, { key, json: change });
    t.match(body.data, change);
    expected[2] = body.data;
    t.strictSame(await list(), expected);
  }
  const [first] = expected.splice(0, 1);
  const deleted = await service.call('DELETE', `/webhooks/${first?.id}`, { key });
  t.strictSame([deleted.status, deleted.body], [200, { success: true, data: { id: first?.id } }]);
  t.strictSame(await list(), expected);
  t.strictSame((await service.call('GET', '/webhooks', { key: stranger.key })).body.data, []);
});

test('a disabled endpoint shows its time of disabling, and can be enabled again', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const patch = async (change: object) =>
    (await service.call('PATCH', `/webhooks/${id}`, { key, json: change })).body.data;
  const disabled = await patch({ status: 'disabled' });
  t.match(disabled, { status: 'disabled', disabledAt: /Z$/ });
  t.strictSame(
    await patch({ status: 'disabled', description: null }),
    disabled,
    'unchanged by a second order',
  );
  t.strictSame((await service.call('GET', '/webhooks', { key })).body.data, [disabled]);
  t.match(await patch({ status: 'active' }), { status: 'active', disabledAt: null });
  t.match(await patch({}), { status: 'active', url, events: json.events });
});

test('a rotation returns a new secret, and the end of the previous ones', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const { id, secret } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const rotate = (query = '') =>
    service.call('POST', `/webhooks/${id}/rotate-secret${query}`, { key });
  const secondsUntil = (moment: string) => (Date.parse(moment) - Date.now()) / 1_000;
  const rotated = await rotate();
  t.equal(rotated.status, 200);
  t.match(rotated.body.data, { id, url, status: 'active', secret: /^whsec_/ });
  t.not(rotated.body.data.secret, secret);
  const day = secondsUntil(rotated.body.data.previousSecretsUntil);
  t.ok(day > 86_000 && day <= 86_400, `${day}`);
  const atOnce = await rotate('?overlapSeconds=0');
  t.ok(secondsUntil(atOnce.body.data.previousSecretsUntil) <= 0);
  for (const query of ['?overlapSeconds=604801', '?overlapSeconds=-1', '?overlapSeconds=x']) {
    t.match(await rotate(query), {
      ...{ status: 400, body: { code: 'INVALID_REQUEST', message: /^overlapSeconds: / } },
    });
  }
});

test('a test goes to the current endpoint with all signing secrets, even if disabled', async (t) => {
  const outcome = { delivered: false, status: 500, durationMs: 7, error: null };
  const webhooks = createScriptedDeliveries(outcome);
  const service = await startHttpService(t, { services: { webhooks } });
  const { key, organisationId } = await service.openOrganisation();
  const { id, secret } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  await service.call('PATCH', `/webhooks/${id}`, { key, json: { status: 'disabled' } });
  const rotated = await service.call('POST', `/webhooks/${id}/rotate-secret`, { key });
  const tested = await service.call('POST', `/webhooks/${id}/test`, { key });
  t.strictSame([tested.status, tested.body], [200, { success: true, data: outcome }]);
  const secrets = [rotated.body.data.secret, secret];
  t.strictSame(webhooks.tested, [{ webhookId: id, organisationId, url, secrets }]);
});

test('an endpoint that answers a test with 410 is disabled', async (t) => {
  const outcome = { delivered: false, status: 410, durationMs: 7, error: null };
  const services = { webhooks: createScriptedDeliveries(outcome) };
  const service = await startHttpService(t, { services });
  const { key } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const tested = await service.call('POST', `/webhooks/${id}/test`, { key });
  t.match(tested, { status: 200, body: { data: outcome } });
  t.match((await service.call('GET', '/webhooks', { key })).body.data, [{ status: 'disabled' }]);
});

test('unknown, foreign and deleted endpoints are the same 404', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const stranger = await service.openOrganisation();
  const register = async () =>
    (await service.call('POST', '/webhooks', { key, json })).body.data.id as string;
  const [theirs, deleted] = [await register(), await register()];
  await service.call('DELETE', `/webhooks/${deleted}`, { key });
  const calls = [
    ['PATCH', '', { json: { url: 'https://thief.example/', status: 'disabled' } }],
    ['DELETE', '', {}],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', {}],
    ['GET', '/deliveries', {}],
    ['POST', `/deliveries/${ulid()}/retry`, {}],
    ['POST', '/deliveries/retry', { json: { since: '2026-01-01T00:00:00Z' } }],
  ] as const;
  for (const [method, rest, options] of calls) {
    const answers = [
      await service.call(method, `/webhooks/${ulid()}${rest}`, { key, ...options }),
      await service.call(method, `/webhooks/${theirs}${rest}`, { key: stranger.key, ...options }),
      await service.call(method, `/webhooks/${deleted}${rest}`, { key, ...options }),
    ];
    const [first] = answers;
    t.match(first, { status: 404, body: { success: false, code: 'WEBHOOK_NOT_FOUND' } });
    for (const answer of answers) t.equal(answer.text, first?.text, `${method} ${rest}`);
    for (const malformed of ['x', theirs.toLowerCase(), `${theirs}%00`]) {
      const answer = await service.call(method, `/webhooks/${malformed}${rest}`, {
        key,
        ...options,
      });
      t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', message: /^id: / } });
    }
  }
  const [kept] = (await service.call('GET', '/webhooks', { key })).body.data;
  t.match(kept, { id: theirs, url, status: 'active' });
});

test('only keys with webhooks:manage may manage endpoints, and agent keys never', async (t) => {
  const service = await joinHttpService();
  const { key, organisationId } = await service.openOrganisation();
  const agent = await service.issueKey(organisationId, { agent: true });
  const reader = await service.issueKey(organisationId, { scopes: ['documents:read'] });
  const manager = await service.issueKey(organisationId, { scopes: ['webhooks:manage'] });
  const { id } = (await service.call('POST', '/webhooks', { key: manager, json })).body.data;
  const calls = [
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['PATCH', `/webhooks/${id}`],
    ['DELETE', `/webhooks/${id}`],
    ['POST', `/webhooks/${id}/test`],
    ['POST', `/webhooks/${id}/rotate-secret`],
    ['GET', `/webhooks/${id}/deliveries`],
    ['POST', `/webhooks/${id}/deliveries/${ulid()}/retry`],
    ['POST', `/webhooks/${id}/deliveries/retry`],
  ] as const;
  for (const [method, path] of calls) {
    t.match(await service.call(method, path), { status: 401, body: { code: 'INVALID_API_KEY' } });
    for (const poor of [agent, reader]) {
      const answer = await service.call(method, path, { key: poor });
      t.match(answer, { status: 403, body: { code: 'SCOPE_NOT_PERMITTED' } }, `${method} ${path}`);
    }
  }
  await suspendOrganisation(service.store, organisationId, operator);
  await awaitPosition(service.services.events.db, 'access', await service.store.head());
  const refused = { status: 403, body: { code: 'COMPANY_SUSPENDED' } };
  for (const [method, path] of calls) t.match(await service.call(method, path, { key }), refused);
});

test('the twenty-first endpoint is refused until one of the twenty is deleted', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const register = () => service.call('POST', '/webhooks', { key, json });
  const answers = await Promise.all(Array.from({ length: 50 }, register));
  t.equal(answers.filter(({ status }) => status === 201).length, 20);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', message: /20/ } });
  }
  const { data } = (await service.call('GET', '/webhooks', { key })).body;
  t.equal(data.length, 20);
  await service.call('PATCH', `/webhooks/${data[1].id}`, { key, json: { status: 'disabled' } });
  t.equal((await register()).status, 400, 'a disabled endpoint keeps its place');
  await service.call('DELETE', `/webhooks/${data[0].id}`, { key });
  t.equal((await register()).status, 201);
  t.equal((await register()).status, 400);
});

const shown = (delivery: Delivery) => ({ ...delivery, deliveryId: delivery.id });

test('the delivery log is shown in pages, and the latest attempt in the list', async (t) => {
  const webhooks = createScriptedDeliveries();
  const service = await startHttpService(t, { services: { webhooks } });
  const { key } = await service.openOrganisation();
  const id = (await service.call('POST', '/webhooks', { key, json })).body.data.id as WebhookId;
  const first = webhooks.add(id);
  const second = webhooks.add(id, { status: 'failed', responseStatus: null, error: 'timeout' });
  const third = webhooks.add(id, {
    ...{ status: 'pending', attempts: 0, lastAttemptAt: null, responseStatus: null },
    ...{ durationMs: null, nextAttemptAt: '2026-01-02T03:04:05.678Z' },
  });
  const page = (query: string) =>
    service.call('GET', `/webhooks/${id}/deliveries${query}`, { key });
  const all = await page('');
  t.strictSame(all.body, {
    ...{
      success: true,
      data: [third, second, first].map(shown),
      meta: { page: 1, limit: 20, total: 3 },
    },
  });
  const last = await page('?page=2&limit=2');
  t.strictSame([last.body.data, last.body.meta], [[shown(first)], { page: 2, limit: 2, total: 3 }]);
  for (const query of ['?limit=101', '?limit=0', '?page=0', '?page=x']) {
    t.match(await page(query), { status: 400, body: { code: 'INVALID_REQUEST' } });
  }
  const [item] = (await service.call('GET', '/webhooks', { key })).body.data;
  t.strictSame(item.lastDelivery, shown(second), 'the third delivery was not attempted yet');
});

test('a delivery can be sent again unless the endpoint is disabled', async (t) => {
  const webhooks = createScriptedDeliveries();
  const service = await startHttpService(t, { services: { webhooks } });
  const { key, organisationId } = await service.openOrganisation();
  const register = async () =>
    (await service.call('POST', '/webhooks', { key, json })).body.data.id as WebhookId;
  const [id, other] = [await register(), await register()];
  const delivery = webhooks.add(id, { status: 'failed' });
  const retry = (webhookId: string, deliveryId = delivery.id) =>
    service.call('POST', `/webhooks/${webhookId}/deliveries/${deliveryId}/retry`, { key });
  const again = await retry(id);
  t.strictSame([again.status, again.body.data], [200, { ...shown(delivery), status: 'pending' }]);
  const none = { status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } };
  t.match(await retry(other), none, 'not a delivery of this endpoint');
  t.match(await retry(id, ulid()), none);
  t.match(await retry(id, 'x'), { status: 400, body: { message: /^deliveryId: / } });
  await service.call('PATCH', `/webhooks/${id}`, { key, json: { status: 'disabled' } });
  t.match(await retry(id), { status: 409, body: { code: 'WEBHOOK_DISABLED' } });
  const events = await service.store.readStream(streams.webhookSendings(id));
  t.match(events, [
    {
      type: 'WebhookRetryRequested',
      organisationId,
      data: { webhookId: id, deliveryId: delivery.id },
      meta: { actor: 'api', keyId: String, requestId: String },
    },
  ]);
  t.equal(events.length, 1, 'nothing that was refused');
  t.strictSame(await service.store.readStream(streams.webhookSendings(other)), []);
});

test('concurrent retries are all on record', async (t) => {
  const webhooks = createScriptedDeliveries();
  const service = await startHttpService(t, { services: { webhooks } });
  const { key } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => {
      const delivery = webhooks.add(id, { status: 'failed' });
      const path = `/webhooks/${id}/deliveries/${delivery.id}/retry`;
      return service.call('POST', path, { key });
    }),
  );
  t.ok(answers.every(({ status }) => status === 200));
  t.equal((await service.store.readStream(streams.webhookSendings(id))).length, 10);
});

test('all deliveries that failed since a time can be sent again', async (t) => {
  const webhooks = createScriptedDeliveries();
  const service = await startHttpService(t, { services: { webhooks } });
  const { key } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  for (const month of [1, 2, 3]) {
    webhooks.add(id, { status: 'failed', createdAt: `2026-0${month}-01T00:00:00.000Z` });
  }
  const retry = (body: object) =>
    service.call('POST', `/webhooks/${id}/deliveries/retry`, { key, json: body });
  const twice = [1, 2].map(() => retry({ since: '2026-02-01T01:00:00+01:00' }));
  const answers = (await Promise.all(twice)).map(({ status, body }) => [status, body]);
  const answerOf = (retried: number) => [200, { success: true, data: { retried, remaining: 0 } }];
  t.strictSame(
    answers.sort(([, a], [, b]) => b.data.retried - a.data.retried),
    [answerOf(2), answerOf(0)],
  );
  t.equal((await service.store.readStream(streams.webhookSendings(id))).length, 1, 'recorded once');
  t.match((await retry({ since: '2026-02-01T00:00:00Z' })).body.data, { retried: 0 });
  for (const wrong of [{}, { since: 'yesterday' }, { since: 7 }]) {
    const code = 'INVALID_REQUEST';
    t.match(await retry(wrong), { status: 400, body: { code, message: /^since: / } });
  }
  await service.call('PATCH', `/webhooks/${id}`, { key, json: { status: 'disabled' } });
  const refused = { status: 409, body: { code: 'WEBHOOK_DISABLED' } };
  t.match(await retry({ since: '2026-01-01T00:00:00Z' }), refused);
});

test('pages of any origin may change and delete endpoints on the mirror', async (t) => {
  const service = await joinHttpService();
  for (const method of ['PATCH', 'DELETE']) {
    const headers = { origin: 'https://a.example', 'access-control-request-method': method };
    const path = `/api/public/v1/webhooks/${ulid()}`;
    const answer = await service.call('OPTIONS', path, { headers });
    t.match(answer.headers.get('access-control-allow-methods'), method);
  }
});
