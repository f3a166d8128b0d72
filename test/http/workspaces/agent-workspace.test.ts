import { test } from 'tap';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { operator, startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring } from '../../support/scripted-anchoring.ts';

test('an agent with the recommended scopes learns its workspace as /docs says', async (t) => {
  const service = await startHttpService(t, { threads: true });
  (await createScriptedAnchoring(service.store)).follow(t);
  const { organisationId, workspaceId } = await service.openOrganisation();
  const docs = (await service.call('GET', '/docs')).body.data;
  const scopes = docs.auth.recommendedForAgents;
  t.match(docs.workspaces.join(' '), /400 INVALID_WORKSPACE.* names its id/);
  const key = await service.issueKey(organisationId, { agent: true, scopes });
  const listed = await service.call('GET', '/workspaces', { key });
  t.match(listed, { status: 403, body: { code: 'SCOPE_NOT_PERMITTED' } });

  const hash = 'ab'.repeat(32);
  const post = (json: object) => service.call('POST', '/proofs', { key, json });
  const only = new RegExp(
    `^workspace: .*the only workspace of this organisation is (${workspaceId})$`,
  );
  for (const json of [{ hash }, { hash, workspace: 'Archive' }, { hash, workspace: hash }]) {
    const refused = await post(json);
    t.match(refused, { status: 400, body: { code: 'INVALID_WORKSPACE', message: only } });
    t.strictSame(Object.keys(refused.body), ['success', 'code', 'message']);
  }
  t.match(await post({ workspace: 'x' }), { status: 400, body: { code: 'INVALID_HASH' } });
  t.equal((await post({ hash, workspace: workspaceId })).status, 201);
  const unknown = await service.openOrganisation();
  const theirs = await post({ hash, workspace: unknown.workspaceId });
  t.match(theirs, { status: 400, body: { message: only } }, 'the workspace of the caller');
  const run = { runId: 'r', workspace: unknown.workspaceId };
  const reported = await service.call('POST', '/agent/runs', { key, json: run });
  t.match(reported, { status: 400, body: { message: only } }, 'a call on another thread');
  const body = new FormData();
  body.append('file', new Blob(['x']), 'x.txt');
  const upload = await service.call('POST', '/documents', { key, body });
  t.match(upload, { status: 400, body: { code: 'INVALID_WORKSPACE', message: only } });

  const { events, sources } = service.services;
  const deps = { ...events, ...sources };
  await createWorkspace(deps, { organisationId, name: 'Second' }, operator);
  const ask = /^workspace: .*ask the account owner for the id$/;
  t.match(await post({ hash }), { status: 400, body: { message: ask } }, 'one of several');
  const reader = await service.issueKey(organisationId);
  const plain = await service.call('POST', '/proofs', { key: reader, json: { hash } });
  t.notMatch(plain.body.message, /ask/, 'a key that may list workspaces');
});
