import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type Test, test } from 'tap';
import {
  changeRequestLimits,
  type LimitsOrder,
} from '../../../src/commands/change-request-limits.ts';
import { apiKeyRandomBytes, formatApiKey } from '../../../src/domain/key/api-key.ts';
import { createAddressReader } from '../../../src/http/limits/client-address.ts';
import { createPostgresLimiter } from '../../../src/http/limits/postgres-limiter.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { query } from '../../embedded/run-service.ts';
import {
  type Answer,
  operator,
  type ServiceChanges,
  startHttpService,
} from '../../support/http-service.ts';
import { createScriptedGateway } from '../../support/scripted-gateway.ts';
import { until } from '../../support/until.ts';

/** Status and rate limit headers of an answer, for the caller or for its organisation. */
const limitsOf = ({ status, headers }: Answer, ofAll = false) => {
  const of = (name: string) =>
    headers
      .get(name)
      ?.split(', ')
      .filter((window) => window.startsWith('"organisation-') === ofAll)
      .join(', ');
  const left = of('ratelimit')?.replaceAll(/t=[1-9]\d*/g, 't=T');
  return [status, of('ratelimit-policy') ?? null, left];
};

async function start(t: Test, services: ServiceChanges = {}) {
  const service = await startHttpService(t, { services });
  const { organisationId } = await service.openOrganisation();
  const issue = (requestsPerMinute: number, requestsPerDay = 1_000) =>
    service.issueKey(organisationId, { requestsPerMinute, requestsPerDay });
  const changeLimits = async (order: LimitsOrder) => {
    await changeRequestLimits(service.store, organisationId, order, operator);
    await awaitPosition(service.services.events.db, 'access', await service.store.head());
  };
  return { service, organisationId, issue, changeLimits };
}

test('every answer to a key states the remaining requests, and too many are 429 with Retry-After', async (t) => {
  const { service, issue } = await start(t);
  const key = await issue(4, 6);
  const policy = '"minute";q=4;w=60, "day";q=6;w=86400';
  const state = (minute: number, day: number) => `"minute";r=${minute};t=T, "day";r=${day};t=T`;
  const call = (method: string, path: string, options = {}) =>
    service.call(method, path, { key, ...options });
  t.strictSame(limitsOf(await call('GET', '/workspaces')), [200, policy, state(3, 5)]);
  t.strictSame(limitsOf(await call('GET', '/proofs/x')), [400, policy, state(2, 4)]);
  const base = '/api/public/v1';
  t.strictSame(limitsOf(await call('HEAD', `${base}/workspaces`)), [200, policy, state(1, 3)]);
  t.strictSame(limitsOf(await call('POST', '/proofs', { json: {} })), [400, policy, state(0, 2)]);
  for (const path of ['/workspaces', '/proofs/x', `${base}/workspaces`]) {
    const refused = await call('GET', path);
    t.strictSame(limitsOf(refused), [429, policy, state(0, 2)], path);
    t.match(refused.body, { success: false, code: 'RATE_LIMIT_EXCEEDED' });
    t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  }
  t.equal((await call('GET', '/nothing')).status, 404);
  t.equal((await call('PUT', '/proofs')).status, 405);
  await query(service.databaseUrl, 'UPDATE request_counts SET minute_from = minute_from - 60000');
  const again = () => service.call('GET', '/workspaces', { key });
  await until('the next minute', async () => (await again()).status === 200);
  t.strictSame(limitsOf(await again()), [200, policy, state(2, 0)]);
  const refused = await again();
  t.strictSame(limitsOf(refused), [429, policy, state(2, 0)]);
  t.ok(Number(refused.headers.get('retry-after')) > 86_000, 'the window of the day refuses');
});

test('a call refused for lack of scope is not counted, but states the limits', async (t) => {
  const { service, organisationId } = await start(t);
  const key = await service.issueKey(organisationId, {
    scopes: ['documents:read'],
    requestsPerMinute: 1,
  });
  for (let i = 0; i < 2; i += 1) {
    const refused = await service.call('GET', '/workspaces', { key });
    t.match(limitsOf(refused), [403, /q=1;w=60/, /^"minute";r=1;t=T, "day"/]);
  }
  t.equal((await service.call('GET', '/documents', { key })).status, 200);
  t.equal((await service.call('GET', '/documents', { key })).status, 429);
  t.match(limitsOf(await service.call('GET', '/workspaces', { key })), [
    403,
    /q=1/,
    /"minute";r=0;/,
  ]);
});

test('changed limits of an organisation apply to its keys from the next call on', async (t) => {
  const { service, organisationId, changeLimits } = await start(t);
  const key = await service.issueKey(organisationId);
  const change = async (perMinute: number) => {
    await changeLimits({ perMinute, perDay: 9 });
  };
  const call = () => service.call('GET', '/workspaces', { key });
  await change(1);
  t.strictSame([(await call()).status, (await call()).status], [200, 429]);
  await change(2);
  t.match(limitsOf(await call()), [
    200,
    '"minute";q=2;w=60, "day";q=9;w=86400',
    /r=0;t=T, "day";r=7/,
  ]);
  t.equal((await call()).status, 429);
});

test('all keys of an organisation share limits, and a refused call counts in no window', async (t) => {
  const { service, organisationId, changeLimits, issue } = await start(t);
  await changeLimits({ perMinute: 4, perDay: 60 });
  const keys = await Promise.all([issue(30), issue(30), service.issueKey(organisationId)]);
  const call = async (key = '') => service.call('GET', '/workspaces', { key });
  const [own, other, plain] = keys;
  t.match(limitsOf(await call(own), true), [
    200,
    '"organisation-minute";q=40;w=60, "organisation-day";q=1000;w=86400',
  ]);
  await changeLimits({ totalRequestsPerMinute: 5, totalRequestsPerDay: 8 });
  const policy = '"organisation-minute";q=5;w=60, "organisation-day";q=8;w=86400';
  const state = (minute: number, day: number) =>
    `"organisation-minute";r=${minute};t=T, "organisation-day";r=${day};t=T`;
  t.strictSame(limitsOf(await call(other), true), [200, policy, state(3, 6)]);
  for (const key of [plain, own]) t.equal((await call(key)).status, 200);
  const last = await call(plain);
  t.strictSame(limitsOf(last, true), [200, policy, state(0, 3)]);
  t.match(limitsOf(last), [
    200,
    '"minute";q=4;w=60, "day";q=60;w=86400',
    '"minute";r=2;t=T, "day";r=58;t=T',
  ]);
  for (const key of keys) {
    const refused = await call(key);
    t.strictSame(limitsOf(refused, true), [429, policy, state(0, 3)]);
    t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  }
  t.match(limitsOf(await call(plain)), [429, /q=4/, '"minute";r=2;t=T, "day";r=58;t=T']);
  const stranger = await service.openOrganisation();
  t.equal((await call(stranger.key)).status, 200, "another organisation's limits are separate");
  await query(service.databaseUrl, 'UPDATE request_counts SET minute_from = minute_from - 60000');
  // The process remembers each key's refusal for a second.
  for (const key of keys)
    await until('the next minute', async () => (await call(key)).status === 200);
  const over = await call(own);
  t.strictSame(limitsOf(over, true), [429, policy, state(2, 0)]);
  t.ok(Number(over.headers.get('retry-after')) > 86_000, 'the window of the day refuses');
});

test("the organisation's limits cover its highest key limit until that key is revoked", async (t) => {
  const { service, organisationId, changeLimits, issue } = await start(t);
  await changeLimits({ perMinute: 60, perDay: 10_000 });
  const owner = await service.issueKey(organisationId);
  const policy = async () => {
    const answer = await service.call('GET', '/api-keys', { key: owner });
    return [limitsOf(answer, true)[1], answer.body.data] as const;
  };
  const day = '"organisation-day";q=100000;w=86400';
  t.equal((await policy())[0], `"organisation-minute";q=600;w=60, ${day}`);
  await issue(700, 10);
  await issue(601, 10);
  await awaitPosition(service.services.events.db, 'access', await service.store.head());
  const [raised, keys] = await policy();
  t.equal(raised, `"organisation-minute";q=700;w=60, ${day}`);
  const { id } = keys.find((key: { requestsPerMinute: number }) => key.requestsPerMinute === 700);
  await service.call('DELETE', `/api-keys/${id}`, { key: owner });
  t.equal((await policy())[0], `"organisation-minute";q=601;w=60, ${day}`);
});

test('failed authentications are limited by address, while a valid key still works', async (t) => {
  const { service, issue } = await start(t, {
    limits: {
      addressRequestsPerMinute: 3,
      addressOf: createAddressReader(['127.0.0.1/32']),
    },
  });
  const key = await issue(100);
  const unknown = formatApiKey(randomBytes(apiKeyRandomBytes));
  const from = (address: string, more: object = {}) =>
    service.call('GET', '/workspaces', { headers: { 'x-forwarded-for': address, ...more } });
  const failures = [
    await from('192.0.2.1'),
    await from('192.0.2.1', { authorization: `Bearer ${unknown}` }),
    await from('192.0.2.1', { authorization: 'Bearer x' }),
  ];
  t.strictSame(limitsOf(failures[2] as Answer), [401, '"minute";q=3;w=60', '"minute";r=0;t=T']);
  for (const authorization of ['', 'Bearer x', `Bearer ${unknown}`]) {
    const refused = await from('192.0.2.1', { authorization });
    t.match(refused, { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    t.match(refused.headers.get('retry-after'), /^[1-9]\d?$/);
  }
  t.equal((await from('192.0.2.1', { authorization: `Bearer ${key}` })).status, 200);
  t.equal((await from('192.0.2.2')).status, 401, 'another address');
  t.equal(
    (await from('192.0.2.1, 192.0.2.3')).status,
    401,
    'the last address counts behind a trusted proxy',
  );
  const sixth = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::', '2001:db8::3'];
  const answers = [];
  for (const address of sixth) answers.push((await from(address)).status);
  t.strictSame(answers, [401, 401, 401, 429], 'a /64 network is one caller');
  t.equal((await from('2001:db8:0:1::1')).status, 401);
});

test('public calls are limited by address, health checks are not', async (t) => {
  const gateway = createScriptedGateway('testnet');
  const { service } = await start(t, {
    ledger: { gateways: [gateway] },
    limits: { addressRequestsPerMinute: 2 },
  });
  const verify = (at: number) =>
    service.call('GET', `/api/public/verify/${String(at).padStart(64, '0')}`);
  const answers = [await verify(1), await verify(2), await verify(3)];
  t.strictSame(answers.map(({ status }) => status).slice(0, 2), [404, 404]);
  const [, , refused] = answers;
  t.strictSame(limitsOf(refused as Answer), [429, '"minute";q=2;w=60', '"minute";r=0;t=T']);
  t.equal(refused?.headers.get('access-control-allow-origin'), '*');
  t.match(refused?.headers.get('retry-after'), /^[1-9]\d?$/);
  const health = ['/healthz', '/healthz', '/readyz', '/readyz', '/healthz', '/readyz'];
  for (const path of health) {
    const answer = await service.call('GET', path);
    t.strictSame(limitsOf(answer), [200, null, undefined]);
  }
  t.equal(
    (await service.call('GET', '/workspaces')).status,
    401,
    'failures are counted separately',
  );
});

test('when limits cannot be read, calls are allowed and the log says so', async (t) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const limiter = createPostgresLimiter('postgres://a:b@127.0.0.1:1/c', { log, timeoutMs: 500 });
  t.teardown(() => limiter.close());
  const { service, issue } = await start(t, { limits: { limiter, addressRequestsPerMinute: 1 } });
  const key = await issue(1);
  for (let i = 0; i < 3; i += 1) {
    t.equal((await service.call('GET', '/workspaces')).status, 401);
    const answer = await service.call('GET', '/workspaces', { key });
    t.match(limitsOf(answer), [200, '"minute";q=1;w=60, "day";q=1000;w=86400', undefined]);
  }
  t.equal(lines.filter((line) => line.includes('calls are accepted without limits')).length, 1);
});
