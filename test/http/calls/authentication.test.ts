import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { ulid } from 'ulid';
import { changePlan } from '../../../src/commands/change-plan.ts';
import { resumeOrganisation } from '../../../src/commands/resume-organisation.ts';
import { revokeKey } from '../../../src/commands/revoke-key.ts';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import { switchApiAccess } from '../../../src/commands/switch-api-access.ts';
import { apiKeyRandomBytes, formatApiKey, hashApiKey } from '../../../src/domain/key/api-key.ts';
import { scopes } from '../../../src/domain/key/scope.ts';
import type { KeyId } from '../../../src/domain/ulid.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { findKeyAccess } from '../../support/find-key-access.ts';
import {
  type HttpService,
  joinHttpService,
  operator,
  startHttpService,
} from '../../support/http-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';

const routes = [
  ['POST', '/proofs', 'documents:write'],
  ['GET', `/proofs/${ulid()}`, 'documents:read'],
  ['GET', '/workspaces', 'workspaces:read'],
  ['POST', '/agent/runs', 'documents:write'],
  ['GET', '/agent/runs', 'documents:read'],
  ['GET', '/agent/runs/r', 'documents:read'],
  ['GET', '/agent/decisions', 'documents:read'],
] as const;

const settle = async ({ store, services }: HttpService) =>
  awaitPosition(services.events.db, 'access', await store.head());

test('a missing, malformed, mistyped, unknown, expired or revoked key is 401', async (t) => {
  let now = new Date();
  const service = await joinHttpService(t, { services: { sources: { now: () => now } } });
  const { organisationId, key } = await service.openOrganisation();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const expiring = await service.issueKey(organisationId, { expiresAt });
  const revoked = await service.issueKey(organisationId);
  t.equal((await service.call('GET', '/workspaces', { key: expiring })).status, 200);
  t.equal((await service.call('GET', '/workspaces', { key: revoked })).status, 200);
  now = new Date(expiresAt);
  const access = await findKeyAccess(service.services.events.db, hashApiKey(revoked));
  await revokeKey(service.store, access?.keyId as KeyId, null, operator);
  await settle(service);

  const flip = (text: string) => (text.endsWith('A') ? 'B' : 'A');
  const headers: [string, string | undefined][] = [
    ['missing', undefined],
    ['empty', ''],
    ['no scheme', key],
    ['no key', 'Bearer'],
    ['another scheme', `Basic ${key}`],
    ['two keys', `Bearer ${key} ${key}`],
    ['a quoted key', `Bearer "${key}"`],
    ['too short', `Bearer ${key.slice(0, -1)}`],
    ['too long', `Bearer ${key}0`],
    ['another prefix', `Bearer svc_test_${key.slice(9)}`],
    ['a wrong checksum', `Bearer ${key.slice(0, -1)}${flip(key)}`],
    ['a mistyped body', `Bearer ${key.slice(0, 9)}${flip(key[9] ?? '')}${key.slice(10)}`],
    ['unknown', `Bearer ${formatApiKey(randomBytes(apiKeyRandomBytes))}`],
    ['expired', `Bearer ${expiring}`],
    ['revoked', `Bearer ${revoked}`],
  ];
  const before = await service.store.head();
  for (const [what, authorization] of headers) {
    for (const [method, path] of routes) {
      const options = { headers: { ...(authorization !== undefined && { authorization }) } };
      const answer = await service.call(method, path, options);
      t.match(answer, { status: 401, body: { success: false, code: 'INVALID_API_KEY' } }, what);
      t.equal(answer.headers.get('www-authenticate'), 'Bearer');
      t.notMatch(answer.text, key.slice(9, 20), 'the message does not echo the key');
    }
  }
  t.equal(await service.store.head(), before);
  t.equal(
    (await service.call('GET', '/workspaces', { headers: { authorization: `bearer  ${key}` } }))
      .status,
    200,
  );
  t.notMatch(service.log.join('\n'), /svc_live_/, 'no key is ever logged');
});

test('a key with a wrong checksum is refused without a look-up, any other key is looked up', async (t) => {
  const service = await joinHttpService(t);
  const { key } = await service.openOrganisation();
  const broken = Object.assign(Object.create(service.services.events.db), {
    selectFrom() {
      throw new Error('looked up');
    },
    $extendTables() {
      throw new Error('looked up');
    },
  });
  const second = await joinHttpService(t, { services: { events: { db: broken } } });
  const mistyped = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
  t.equal((await second.call('GET', '/workspaces', { key: mistyped })).status, 401);
  t.equal((await second.call('GET', '/workspaces', { key })).status, 500);
});

test('a key works as soon as it is issued, even while the projection lags', async (t) => {
  const service = await joinHttpService();
  for (let i = 0; i < 20; i += 1) {
    const { key } = await service.openOrganisation();
    t.equal((await service.call('GET', '/workspaces', { key })).status, 200);
  }
});

test('while no projection runs, a newly issued key is 503 with Retry-After, not 401', async (t) => {
  const service = await startHttpService(t, { project: false });
  const { key } = await service.openOrganisation();
  const answer = await service.call('GET', '/workspaces', { key });
  t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
});

test('each route needs its own scope and no other', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const before = async (scope: string) => ({
    key: await service.issueKey(organisationId, { scopes: [scope] }),
    head: await service.store.head(),
  });
  for (const scope of scopes) {
    const { key, head } = await before(scope);
    for (const [method, path, needed] of routes) {
      for (const base of ['/api/v1', '/api/public/v1']) {
        const answer = await service.call(method, `${base}${path}`, { key });
        const code = answer.body.code;
        if (scope === needed) t.not(answer.status, 403, `${scope} ${path}`);
        else t.match({ status: answer.status, code }, { status: 403, code: 'SCOPE_NOT_PERMITTED' });
      }
    }
    t.equal(await service.store.head(), head);
  }
});

test("checks the organisation's standing before the scope, and the scope before the input", async (t) => {
  const service = await joinHttpService(t);
  const { organisationId, workspaceId, key } = await service.openOrganisation();
  const weak = await service.issueKey(organisationId, { scopes: ['certificates:read'] });
  const good = { hash: randomDigest(), workspace: workspaceId };
  const expectAll = async (code: string) => {
    await settle(service);
    const head = await service.store.head();
    for (const json of [good, { hash: 'bad' }, undefined]) {
      for (const each of [key, weak]) {
        const answer = await service.call('POST', '/proofs', { key: each, json });
        t.match(answer, { status: 403, body: { success: false, code } });
      }
    }
    t.equal(await service.store.head(), head, 'nothing was stored');
  };
  const { store } = service;
  await switchApiAccess(store, organisationId, false, operator);
  await expectAll('API_ACCESS_DISABLED');
  await suspendOrganisation(store, organisationId, operator);
  await expectAll('COMPANY_SUSPENDED');
  await switchApiAccess(store, organisationId, true, operator);
  await expectAll('COMPANY_SUSPENDED');
  await resumeOrganisation(store, organisationId, operator);
  await changePlan(store, organisationId, 'free', operator);
  await expectAll('API_ACCESS_DISABLED');
  await changePlan(store, organisationId, 'enterprise', operator);
  await settle(service);
  t.match(await service.call('POST', '/proofs', { key, json: { hash: 'bad' } }), { status: 400 });
  t.match(await service.call('POST', '/proofs', { key: weak, json: { hash: 'bad' } }), {
    status: 403,
    body: { code: 'SCOPE_NOT_PERMITTED' },
  });
});

test('before the key is verified, answers reveal nothing about the body, not even its size', async (t) => {
  const service = await joinHttpService();
  const bodies = ['{', 'x'.repeat(2_000_000), ''];
  for (const body of bodies) {
    const headers = { 'content-type': 'text/plain' };
    t.match(await service.call('POST', '/proofs', { body, headers }), { status: 401 });
  }
  t.match(await service.call('GET', '/proofs/not-an-id'), { status: 401 });
});
