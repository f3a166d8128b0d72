import { test } from 'tap';
import { startHttpService } from '../support/http-service.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';

const hash = 'ab'.repeat(32);

test('an optional member that is null counts as absent on every route', async (t) => {
  const service = await startHttpService(t);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  (await createScriptedAnchoring(service.store, service.services.events)).follow(t);
  const post = (path: string, json: object) => service.call('POST', path, { key, json });
  const nothing = { fileName: null, fileSize: null, mimeType: null, metadata: null };
  const proof = await post('/proofs', { hash, workspace, ...nothing, hashScheme: null });
  t.match(proof, { status: 201, body: { data: { hashScheme: 'hmac-sha256-nonce-v3' } } });
  const nested = { hash: 'cd'.repeat(32), workspace, metadata: { description: null } };
  t.equal((await post('/proofs', nested)).status, 201);
  const run = { workspace: null, mode: null, counts: null, decisions: null, noOp: null };
  t.equal((await post('/agent/runs', { runId: 'r', ...run })).status, 201);
  const issued = { name: null, agent: null, expiresAt: null, requestsPerDay: null };
  t.equal((await post('/api-keys', { scopes: ['documents:read'], ...issued })).status, 201);
  const hook = { url: 'https://example.org/', events: ['document.created'] };
  const webhook = await post('/webhooks', { ...hook, description: null });
  t.match(webhook, { status: 201, body: { data: { description: null } } });
  const { id } = webhook.body.data;
  const change = { url: null, events: null, status: null };
  const changed = await service.call('PATCH', `/webhooks/${id}`, { key, json: change });
  t.match(changed, { status: 200, body: { data: hook } }, 'a member that is null keeps its value');
  t.match(await post('/proofs', { hash: null, workspace }), { body: { code: 'INVALID_HASH' } });
  const required = await post('/proofs', { hash, workspace: null });
  t.match(required, { status: 400, body: { code: 'INVALID_WORKSPACE' } }, 'not the required ones');
});

test('queries take booleans as languages write them, and an empty value as absent', async (t) => {
  const service = await startHttpService(t);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  (await createScriptedAnchoring(service.store, service.services.events)).follow(t);
  const get = (path: string) => service.call('GET', path, { key });
  const json = { hash, workspace };
  const { proofId, proofNonce } = (await service.call('POST', '/proofs', { key, json })).body.data;
  for (const [value, isGiven] of [
    ...(['true', 'True', '1'] as const).map((value) => [value, true] as const),
    ...(['false', 'False', '0', ''] as const).map((value) => [value, false] as const),
  ]) {
    const { body } = await get(`/proofs/${proofId}?includeSalt=${value}`);
    t.equal(body.data.proofNonce, isGiven ? proofNonce : null, value);
  }
  t.match(await get(`/proofs/${proofId}?includeSalt=yes`), { status: 400 });
  await service.call('POST', '/agent/runs', { key, json: { runId: 'r' } });
  for (const value of ['true', 'True', '1']) {
    t.match((await get(`/agent/runs?protectedOnly=${value}`)).body, { meta: { total: 0 } }, value);
  }

  const filters = {
    '/documents': ['page', 'limit', 'workspace', 'blockchainStatus', 'search'],
    '/agent/runs': ['page', 'workspace', 'mode', 'objective', 'protectedOnly', 'from', 'to'],
    '/agent/decisions': ['limit', 'runId', 'mode', 'action', 'fileHash', 'proofId', 'from'],
    '/api-keys': ['page', 'limit'],
  };
  for (const [path, names] of Object.entries(filters)) {
    const all = await get(path);
    const empty = await get(`${path}?${names.map((name) => `${name}=`).join('&')}`);
    t.equal(empty.status, 200, path);
    t.strictSame(empty.body.meta, all.body.meta, path);
  }
  const unknown = ['/documents?blockchainStatus=done', '/agent/decisions?mode=all'];
  for (const path of unknown) {
    t.match(await get(path), { status: 400, body: { code: 'INVALID_REQUEST' } }, path);
  }
  t.match(await get('/agent/runs?mode=all'), { status: 200 }, 'ignored: the contract says so');
});

test('a trailing slash changes nothing', async (t) => {
  const service = await startHttpService(t);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  (await createScriptedAnchoring(service.store, service.services.events)).follow(t);
  const json = { hash, workspace };
  const posted = await service.call('POST', '/proofs/', { key, json });
  t.equal(posted.status, 201);
  const { proofId, txHash } = posted.body.data;
  const paths = [
    ...['/workspaces', '/documents', '/webhooks', '/docs', `/proofs/${proofId}`],
    ...['/api/public/v1/workspaces', `/api/public/verify/${txHash}`, '/healthz'],
  ];
  for (const path of paths) {
    const [plain, slash] = [
      await service.call('GET', path, { key }),
      await service.call('GET', `${path}/`, { key }),
    ];
    t.equal(slash.status, plain.status, path);
    t.equal(slash.text, plain.text, path);
  }
  const other = await service.call('DELETE', '/proofs/', { key });
  t.match(other, { status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
});
