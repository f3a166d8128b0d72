import { type Test, test } from 'tap';
import { scopes } from '../../../src/domain/key/scope.ts';
import { joinHttpService } from '../../support/http-service.ts';

async function startSite(t: Pick<Test, 'teardown'>) {
  const service = await joinHttpService(t);
  const organisation = await service.openOrganisation();
  const issue = (json: unknown, key = organisation.key) =>
    service.call('POST', '/api-keys', { key, json });
  const list = async (key = organisation.key) =>
    (await service.call('GET', '/api-keys', { key })).body.data;
  return { ...organisation, service, issue, list };
}

test('a key is shown once and works until it is revoked', async (t) => {
  const { service, key, issue, list } = await startSite(t);
  const asked = {
    name: 'Scanner <1>',
    scopes: ['workspaces:read', 'documents:read', 'workspaces:read'],
    expiresAt: '2999-01-01T01:00:00+01:00',
  };
  const { status, body } = await issue(asked);
  t.equal(status, 201);
  const { key: issued, ...item } = body.data;
  t.match(issued, /^svc_live_[0-9A-Za-z]{32}$/);
  t.match(item, {
    name: 'Scanner <1>',
    prefix: issued.slice(0, 13),
    scopes: ['documents:read', 'workspaces:read'],
    agent: false,
    status: 'valid',
    expiresAt: '2999-01-01T00:00:00.000Z',
    requestsPerMinute: null,
  });
  t.strictSame((await list()).at(-1), item, 'listed as in the answer');
  t.equal((await service.call('GET', '/workspaces', { key: issued })).status, 200);
  t.equal((await service.call('GET', '/api-keys', { key: issued })).status, 403);

  for (const _ of ['once', 'again']) {
    const gone = await service.call('DELETE', `/api-keys/${item.id}`, { key });
    t.match(gone, { status: 200, body: { success: true, data: { id: item.id } } });
    t.equal((await service.call('GET', '/workspaces', { key: issued })).status, 401);
  }
  const { lastUsedAt, ...revoked } = (await list()).at(-1);
  t.strictSame({ ...revoked, lastUsedAt: null }, { ...item, status: 'revoked' });
  t.ok(lastUsedAt > item.createdAt);
  const everything = `${JSON.stringify(await list())}${service.log.join('\n')}`;
  t.notOk(everything.includes(issued.slice(13)), 'the key appears nowhere else');
});

test('a key cannot grant a scope that it lacks', async (t) => {
  const { service, organisationId, issue, list } = await startSite(t);
  const own = ['documents:read', 'api-keys:manage'];
  const key = await service.issueKey(organisationId, { scopes: own });
  const before = (await list()).length;
  for (const scope of scopes) {
    const { status, body } = await issue({ scopes: [scope] }, key);
    t.equal(status, own.includes(scope) ? 201 : 403, scope);
    if (status === 403) t.match(body, { code: 'SCOPE_NOT_PERMITTED', message: scope });
  }
  t.equal((await list()).length, before + own.length);
});

test('an agent key never manages webhooks or keys', async (t) => {
  const { service, organisationId, issue, list } = await startSite(t);
  const before = (await list()).length;
  const barred = [['webhooks:manage'], ['api-keys:manage'], ['documents:read', 'webhooks:manage']];
  for (const asked of [...barred, [...scopes]]) {
    const { status, body } = await issue({ scopes: asked, agent: true });
    t.match(
      { status, body },
      { status: 400, body: { code: 'INVALID_REQUEST', message: /^scopes/ } },
    );
  }
  t.equal((await list()).length, before);
  const others = scopes.filter((scope) => !/manage/.test(scope));
  const { status, body } = await issue({ scopes: others, agent: true });
  t.match({ status, body }, { status: 201, body: { data: { agent: true, scopes: others } } });
  const { key } = body.data;
  for (const path of ['/webhooks', '/api-keys']) {
    t.equal((await service.call('GET', path, { key })).status, 403);
  }
  t.equal((await issue({ scopes: ['documents:read'] }, key)).status, 403);
  await t.rejects(service.issueKey(organisationId, { scopes: [...scopes], agent: true }), {
    code: 'INVALID_REQUEST',
  });
});

test('refuses malformed input and names the field', async (t) => {
  const { service, key, issue, list } = await startSite(t);
  const before = (await list()).length;
  const scopesAsked = ['documents:read'];
  const bad: readonly [string, unknown][] = [
    ['scopes', {}],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: 'documents:read' }],
    ['scopes', { scopes: ['documents:*'] }],
    ['scopes', { scopes: [null] }],
    ['name', { scopes: scopesAsked, name: '' }],
    ['name', { scopes: scopesAsked, name: 7 }],
    ['name', { scopes: scopesAsked, name: 'a'.repeat(1_000) }],
    ['agent', { scopes: scopesAsked, agent: 'yes' }],
    ['expiresAt', { scopes: scopesAsked, expiresAt: 'tomorrow' }],
    ['expiresAt', { scopes: scopesAsked, expiresAt: '2020-01-01T00:00:00Z' }],
  ];
  for (const [field, json] of bad) {
    const { status, body } = await issue(json);
    t.match({ status, body }, { status: 400, body: { code: 'INVALID_REQUEST' } });
    t.ok(body.message.startsWith(field), `${field}: ${body.message}`);
  }
  t.equal((await list()).length, before);
  const malformed = await service.call('DELETE', '/api-keys/x', { key });
  t.match(malformed, { status: 400, body: { code: 'INVALID_REQUEST', message: /^id/ } });
});

test('keys are listed in pages, oldest first', async (t) => {
  const { service, key, issue } = await startSite(t);
  const made = [];
  for (let n = 0; n < 4; n += 1)
    made.push((await issue({ scopes: ['documents:read'] })).body.data.id);
  const page = async (query: string) => {
    const { status, body } = await service.call('GET', `/api-keys${query}`, { key });
    t.equal(status, 200, query);
    return { ids: body.data.map(({ id }: { id: string }) => id), meta: body.meta };
  };
  const { ids, meta } = await page('');
  t.strictSame(ids.slice(1), made);
  t.strictSame(meta, { page: 1, limit: 20, total: 5 });
  t.strictSame(await page('?limit=2'), {
    ...{ ids: ids.slice(0, 2), meta: { page: 1, limit: 2, total: 5 } },
  });
  t.strictSame(await page('?limit=2&page=3'), {
    ...{ ids: ids.slice(4), meta: { page: 3, limit: 2, total: 5 } },
  });
  t.strictSame(await page('?page=1000000000&limit=100'), {
    ...{ ids: [], meta: { page: 1_000_000_000, limit: 100, total: 5 } },
  });
  for (const query of ['?limit=0', '?limit=101', '?page=0', '?page=x']) {
    const { status, body } = await service.call('GET', `/api-keys${query}`, { key });
    t.match({ status, body }, { status: 400, body: { code: 'INVALID_REQUEST' } }, query);
  }
});

test("another organisation's keys are answered like unknown keys", async (t) => {
  const { service, key, issue } = await startSite(t);
  const { body } = await issue({ scopes: ['documents:read'] });
  const stranger = await service.openOrganisation();
  const listed = await service.call('GET', '/api-keys', { key: stranger.key });
  t.equal(listed.body.data.length, 1);
  const absent = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const answers = await Promise.all(
    [body.data.id, absent].map((id) =>
      service.call('DELETE', `/api-keys/${id}`, { key: stranger.key }),
    ),
  );
  const messages = answers.map(({ status, body: { code, message } }) => ({
    ...{ status, code },
    message: message.replace(/[0-9A-Z]{26}/, 'ID'),
  }));
  t.match(messages[0], { status: 404, code: 'API_KEY_NOT_FOUND' });
  t.strictSame(messages[0], messages[1]);
  t.equal((await service.call('GET', '/documents', { key: body.data.key })).status, 200);
  t.equal((await service.call('GET', '/api-keys', { key })).status, 200);
});
