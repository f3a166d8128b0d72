import { type Test, test } from 'tap';
import { changeRequestLimits } from '../../../src/commands/change-request-limits.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { joinHttpService, operator } from '../../support/http-service.ts';

const minuteMs = 60_000;
const ofAKey = { perMinute: 60, perDay: 10_000 };

/**
 * An organisation with ordinary limits, whose key of 30 requests a minute expires in 90 minutes.
 */
async function startMint(t: Test) {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  await changeRequestLimits(service.store, organisationId, ofAKey, operator);
  const expiresAt = new Date(Date.now() + 90 * minuteMs).toISOString();
  const parent = await service.issueKey(organisationId, { expiresAt, requestsPerMinute: 30 });
  const mint = (key: string, order: object = {}) =>
    service.call('POST', '/api-keys', { key, json: { scopes: ['api-keys:manage'], ...order } });
  return { service, organisationId, parent, expiresAt, mint };
}

test('minted keys expire with their issuer and have no higher limits, over several generations', async (t) => {
  const { parent, expiresAt, mint } = await startMint(t);
  const children = await Promise.all(Array.from({ length: 29 }, () => mint(parent)));
  const grandchildren = await Promise.all(
    children.slice(0, 3).flatMap(({ body: { data } }) => [mint(data.key), mint(data.key)]),
  );
  for (const { status, body } of [...children, ...grandchildren]) {
    const data = { expiresAt, requestsPerMinute: 30, requestsPerDay: null };
    t.match({ status, body }, { status: 201, body: { data } });
  }
  const [child, grandchild] = [children[0]?.body.data, grandchildren[0]?.body.data];
  t.equal(grandchild.issuedBy, child.id, 'each key names its issuer');
  const policy = grandchildren[0]?.headers.get('ratelimit-policy');
  t.match(policy, /^"minute";q=30;w=60, "day";q=10000;w=86400/);
});

test('limits above the issuer’s are refused, lower ones accepted', async (t) => {
  const { parent, expiresAt, mint } = await startMint(t);
  const later = new Date(Date.parse(expiresAt) + 1).toISOString();
  const bad: readonly [string, object][] = [
    ['expiresAt', { expiresAt: later }],
    ['requestsPerMinute', { requestsPerMinute: 31 }],
    ['requestsPerDay', { requestsPerDay: 10_001 }],
    ['requestsPerDay', { requestsPerDay: 0 }],
    ['requestsPerMinute', { requestsPerMinute: '30' }],
  ];
  for (const [field, order] of bad) {
    const { status, body } = await mint(parent, order);
    const message = new RegExp(`^${field}: must `);
    t.match({ status, body }, { status: 400, body: { code: 'INVALID_REQUEST', message } }, field);
  }
  const less = { expiresAt: new Date(Date.now() + minuteMs).toISOString(), requestsPerMinute: 5 };
  const { status, body } = await mint(parent, { ...less, requestsPerDay: 50 });
  t.match({ status, body }, { status: 201, body: { data: { ...less, requestsPerDay: 50 } } });
  const own = await mint(body.data.key, { requestsPerMinute: null, expiresAt: null });
  t.match(own.body.data, { ...less, requestsPerDay: 50 }, 'null means absent');
});

test('minted keys do not raise the request total of their organisation', async (t) => {
  const { service, organisationId, parent, mint } = await startMint(t);
  await changeRequestLimits(
    service.store,
    organisationId,
    { totalRequestsPerMinute: 40 },
    operator,
  );
  await awaitPosition(service.services.events.db, 'access', await service.store.head());
  const children = await Promise.all(Array.from({ length: 29 }, () => mint(parent)));
  const calls = await Promise.all(
    children.flatMap(({ body: { data } }) =>
      [1, 2].map(() => service.call('GET', '/api-keys', { key: data.key })),
    ),
  );
  const served = calls.filter(({ status }) => status === 200);
  t.equal(served.length, 11, '40 a minute, of which 29 issued keys');
  for (const { status, body } of calls.filter((call) => !served.includes(call))) {
    t.match({ status, body }, { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
  }
});

test('at the key limit, revoking a key allows another one', async (t) => {
  const { service, organisationId, parent, mint } = await startMint(t);
  // The organisation's first key, the issuer, and one more.
  await changeRequestLimits(service.store, organisationId, { maxKeys: 3 }, operator);
  const answers = await Promise.all([mint(parent), mint(parent)]);
  const [made, refused] = answers.toSorted((one, other) => one.status - other.status);
  t.match(made, { status: 201 });
  const message = /^the organisation has 3 API keys that are neither revoked nor expired/;
  t.match(refused, { status: 409, body: { code: 'API_KEY_LIMIT_REACHED', message } });
  const { id } = made?.body.data ?? {};
  await service.call('DELETE', `/api-keys/${id}`, { key: parent });
  t.equal((await mint(parent)).status, 201);
  t.equal((await mint(parent)).status, 409);
});
