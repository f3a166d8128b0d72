import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'tap';
import { startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';

/** A unique text. */
const secret = (name: string) => `${name}-${randomBytes(8).toString('hex')}`;

test('a secret anywhere in a request appears in no log line, even at the finest level', async (t) => {
  const service = await startHttpService(t);
  t.equal(service.services.telemetry.log.level, 'trace');
  const anchoring = await createScriptedAnchoring(service.store);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  const hash = randomDigest();
  const posting = service.call('POST', '/proofs', { key, json: { hash, workspace } });
  await anchoring.anchor(await anchoring.requested(1));
  const { proofNonce, proofId } = (await posting).body.data;
  const issued = await service.call('POST', '/api-keys', {
    key,
    json: { scopes: ['documents:read'], name: secret('key-name') },
  });
  const query = secret('query');
  const header = secret('header');
  const text = secret('text');
  const url = `https://example.com/${secret('hook')}?token=${secret('token')}`;
  const headers = {
    cookie: `session=${header}`,
    'x-forwarded-for': header,
    'x-request-id': header,
    'user-agent': header,
    prefer: header,
    'if-none-match': `"${header}"`,
    referer: `https://example.com/?${query}`,
  };
  const inQuery = `?key=${key}&nonce=${proofNonce}&hash=${hash}&q=${query}`;
  const form = new FormData();
  form.set('workspace', workspace);
  form.set('description', text);
  form.set('file', new File([text], `${text}.txt`));
  const calls: [string, string, object][] = [
    ['GET', `/proofs/${proofId}${inQuery}&includeSalt=true`, { key, headers }],
    ['GET', `/proofs/${hash}${inQuery}`, { key, headers }],
    ['GET', `/documents${inQuery}&search=${text}&page=${query}`, { key, headers }],
    ['GET', `/${text}/${key}${inQuery}`, { headers }],
    ['GET', `/api/public/verify/${text}${inQuery}`, { headers }],
    ['GET', `/agent/runs/${text}${inQuery}`, { key, headers }],
    ['PUT', `/proofs${inQuery}`, { headers }],
    ['GET', '/workspaces', { headers: { ...headers, authorization: `Basic ${text}` } }],
    ['GET', '/workspaces', { key: issued.body.data.key, headers }],
    ['POST', '/proofs', { key, json: { hash: text, workspace: text, fileName: text } }],
    ['POST', '/proofs', { key, body: `{"hash": ${text}`, headers }],
    ['POST', '/documents', { key, body: form }],
    ['POST', '/webhooks', { key, json: { url, events: ['proof.completed'], description: text } }],
    ['POST', '/webhooks', { key, json: { url: `http://${text}`, events: [text] } }],
    ['POST', '/agent/runs', { key, json: { runId: text, objective: text } }],
    ['POST', '/api-keys', { key, json: { scopes: [text], name: text } }],
    ['DELETE', `/api-keys/${text}`, { key, headers }],
  ];
  const seen = new Set<number>();
  // Uploads wait for the ledger. Their answers do not matter here.
  const answers = calls.map(([method, path, options]) => service.call(method, path, options));
  await anchoring.anchor(await anchoring.requested(2));
  for (const { status } of await Promise.all(answers)) seen.add(status);
  t.ok(
    [200, 201, 400, 401, 403, 404, 405].every((status) => seen.has(status)),
    [...seen].join(),
  );

  const socket = connect({ port: service.port, host: '127.0.0.1' });
  socket.write(`GET /${text} ${text}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket.resume(), 'close');

  const log = service.log.join('\n');
  t.ok(service.log.length > calls.length);
  const { secret: signing = 'whsec_' } =
    (await Promise.all(answers)).map(({ body }) => body?.data).find((data) => data?.secret) ?? {};
  t.match(signing, /^whsec_.{20}/);
  const all = { key, hash, proofNonce, query, header, text, url, signing, ours: 'svc_live_' };
  for (const [name, value] of Object.entries(all)) {
    t.notOk(log.includes(value), `${name} is not in the log`);
  }
  t.notOk(log.includes(issued.body.data.name));
  t.notOk(log.includes('token='));
});
