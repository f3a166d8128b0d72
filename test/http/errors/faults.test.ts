import pg from 'pg';
import { test } from 'tap';
import { documentForm, sha256, someText } from '../../support/forms.ts';
import { startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

test('a fault is a 500 without details, and its cause is logged under the request id', async (t) => {
  const cause = Object.assign(new Error('inner'), { detail: 'Key (name)=(secret)' });
  const publicUrl = () => {
    throw new Error('the answer is 42', { cause });
  };
  const service = await startHttpService(t, { services: { site: { publicUrl } } });
  const { key, workspaceId } = await service.openOrganisation();
  const json = { hash: randomDigest(), workspace: workspaceId };
  const headers = { prefer: 'respond-async' };
  const answer = await service.call('POST', '/proofs', { key, json, headers });
  t.match(answer, { status: 500, body: { success: false, code: 'INTERNAL_ERROR' } });
  t.notMatch(answer.text, /42|inner|Error:/);
  const logged =
    service.log.find((line) => line.includes('"unexpected error in a request"')) ?? '{}';
  t.match(JSON.parse(logged), {
    level: 50,
    requestId: answer.headers.get('x-request-id'),
    err: { message: 'the answer is 42: inner' },
  });
  t.notMatch(logged, /secret/);
});

test('while the database cannot be reached, calls are 503 with Retry-After', async (t) => {
  const service = await startHttpService(t);
  const { key } = await service.openOrganisation();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const db = Object.assign(Object.create(service.services.events.db), {
    $extendTables() {
      throw refused;
    },
  });
  const second = await startHttpService(t, { services: { events: { db, repeated: db } } });
  const answer = await second.call('GET', '/workspaces', { key });
  t.match(answer, { status: 503, body: { success: false, code: 'SERVICE_UNAVAILABLE' } });
  t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
});

test('while the database does not answer, calls are 503 in a bounded time', async (t) => {
  const services = { calls: { answerWaitMs: 400, proofWaitMs: 0 } };
  const service = await startHttpService(t, { services });
  const { key, workspaceId } = await service.openOrganisation();
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  const json = { hash: randomDigest(), workspace: workspaceId };
  const list = () => service.call('GET', '/documents', { key });
  const post = () =>
    service.call('POST', '/proofs', { key, json, headers: { prefer: 'respond-async' } });
  const upload = (path: string, fields = {}) => {
    const body = documentForm(fields, { name: 'a.txt', bytes: someText() });
    return service.call('POST', path, { key, body, headers: { prefer: 'respond-async' } });
  };
  const keep = () => upload('/documents', { workspace: workspaceId });
  // On a busy machine the first one may take longer than an answer may.
  const { documentId } = await until('an upload', async () => (await keep()).body.data);
  const revise = () => upload(`/documents/${documentId}/version`);
  const verify = () => service.call('GET', `/api/public/verify/${'A'.repeat(64)}`);
  const checkpoint = () => service.call('GET', '/log/checkpoint');
  const locked = [
    { table: 'api_keys', calls: [list, post] },
    { table: 'documents', calls: [list] },
    { table: 'events', calls: [keep, revise] },
    { table: 'anchors', calls: [verify] },
    { table: 'published_checkpoints', calls: [checkpoint] },
  ];
  for (const { table, calls } of locked) {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    // More calls than connections and concurrent reads.
    const many = Array.from({ length: 20 }, () => calls.map((call) => call()));
    for (const answer of await Promise.all(many.flat())) {
      t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }, table);
      t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
    }
    await holder.query('COMMIT');
    await until('calls are answered again', async () => {
      const answers = await Promise.all(calls.map((call) => call()));
      return answers.every(({ status }) => status !== 503);
    });
  }
});

test('an upload still being appended at the time limit is answered 503, and stored afterwards', async (t) => {
  const service = await startHttpService(t, {
    services: { calls: { answerWaitMs: 400, proofWaitMs: 1_500 } },
  });
  const { key, workspaceId } = await service.openOrganisation();
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  const upload = (bytes: Buffer) => {
    const body = documentForm({ workspace: workspaceId }, { name: 'a.txt', bytes });
    return service.call('POST', '/documents', { key, body });
  };
  // No anchoring runs. On a busy machine the first one may take longer than an answer may.
  await until('an upload', async () => (await upload(someText())).status !== 503);
  const bytes = someText();
  // Reading remains possible.
  await holder.query('BEGIN; LOCK TABLE events IN SHARE MODE');
  const answer = await upload(bytes);
  t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  await holder.query('COMMIT');
  const find = async () => {
    const query = `/documents?fileHash=${sha256(bytes)}`;
    return (await service.call('GET', query, { key })).body.data?.[0];
  };
  const { documentId } = await until('the document is listed', find);
  const file = await until('the file is read in time', async () => {
    const answer = await service.call('GET', `/documents/${documentId}/file`, { key });
    return answer.status !== 503 && answer;
  });
  t.equal(file.text, bytes.toString());
});

test('authentication and reads time out as configured, while a proof may wait longer', async (t) => {
  const services = { calls: { answerWaitMs: 300, proofWaitMs: 1_500 } };
  const service = await startHttpService(t, { services });
  const { key, workspaceId } = await service.openOrganisation();
  const json = { hash: randomDigest(), workspace: workspaceId };
  // On a busy machine, authentication may take longer at first.
  const post = await until('the key is read in time', async () => {
    const answer = await service.call('POST', '/proofs', { key, json });
    return answer.status !== 503 && answer;
  });
  t.match(post, { status: 502 }, 'no anchoring runs');
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  for (const table of ['api_keys', 'documents']) {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    t.match(await service.call('GET', '/documents', { key }), { status: 503 });
    const logged = service.log
      .filter((line) => line.includes('"a part of the service is unavailable'))
      .at(-1);
    t.match(logged, /no answer within 300 ms/, table);
    await holder.query('COMMIT');
  }
});

test('each request is logged in one line without key, nonce, name, digest or path', async (t) => {
  const service = await startHttpService(t);
  const anchoring = await createScriptedAnchoring(service.store);
  const { key, organisationId, workspaceId } = await service.openOrganisation();
  const hash = randomDigest();
  const json = { hash, workspace: workspaceId, fileName: 'my-secret-name.pdf' };
  const posting = service.call('POST', '/proofs', { key, json });
  await anchoring.anchor(await anchoring.requested(1));
  const { proofId, proofNonce } = (await posting).body.data;
  await service.call('GET', `/proofs/${proofId}?includeSalt=true&note=my-secret-query`, { key });
  await service.call('GET', '/api/v1/my-secret-path', { key });
  await service.call('POST', '/proofs', {
    key,
    body: 'my-secret-body',
    headers: { a: 'my-secret-header' },
  });

  const lines = service.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  t.match(lines, [
    { method: 'POST', route: '/api/v1/proofs', status: 201, organisationId },
    { method: 'GET', route: '/api/v1/proofs/:proofId', status: 200, organisationId },
    { method: 'GET', route: null, status: 404 },
    { method: 'POST', route: '/api/v1/proofs', status: 415, organisationId },
  ]);
  t.equal(lines.length, 4);
  const known = [
    'level',
    'time',
    'pid',
    'hostname',
    'msg',
    'requestId',
    'method',
    'route',
    'status',
  ];
  known.push('durationMs', 'keyId', 'organisationId');
  for (const line of lines) {
    t.strictSame(
      Object.keys(line).filter((name) => !known.includes(name)),
      [],
    );
  }
  const everything = service.log.join('\n');
  for (const secret of [/my-secret/, /svc_live/, new RegExp(hash), new RegExp(proofNonce)]) {
    t.notMatch(everything, secret);
  }
});

test('while the database is read-only, calls that write are 503 and others are answered', async (t) => {
  const service = await startHttpService(t, { threads: true });
  const { key, workspaceId, organisationId } = await service.openOrganisation();
  await service.allow(organisationId, 10);
  const list = () => service.call('GET', '/documents', { key });
  t.equal((await list()).status, 200);
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  t.teardown(() => admin.end());
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name],
  );
  await until('calls that read are answered', async () => (await list()).status === 200);
  const headers = { prefer: 'respond-async' };
  const json = { hash: randomDigest(), workspace: workspaceId };
  const body = documentForm({ workspace: workspaceId }, { name: 'a.txt', bytes: someText() });
  const scopes = ['documents:read'];
  const calls = {
    proof: service.call('POST', '/proofs', { key, json, headers }),
    document: service.call('POST', '/documents', { key, body, headers }),
    key: service.call('POST', '/api-keys', { key, json: { name: 'k', scopes } }),
  };
  for (const [what, call] of Object.entries(calls)) {
    const answer = await call;
    t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }, what);
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/, what);
  }
});
