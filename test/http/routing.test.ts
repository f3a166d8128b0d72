import { test } from 'tap';
import type { Services } from '../../src/http/services.ts';
import { joinHttpService, startHttpService } from '../support/http-service.ts';

const cors = 'access-control-allow-origin';
const allowedNames = [
  ...['Authorization', 'Content-Type', 'If-None-Match', 'Prefer'],
  ...['Traceparent', 'Tracestate'],
];
const exposedNames = [
  ...['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Location', 'Allow'],
  ...['ETag', 'Content-Disposition', 'Preference-Applied', 'WWW-Authenticate'],
];

test('unknown paths are 404 NOT_FOUND, with or without a key', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const paths = [
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/nothing/',
    '/api/v1/Proofs',
    '/api/v2/workspaces',
    '/api/v1/workspaces//',
    '/api/v1//workspaces',
    '/api/public/verify',
    '/api/public/v1/nothing',
    '/api/v1/proofs/a/b',
    '/healthz/x',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND']) {
      const answer = await service.call(method, path, method === 'GET' ? { key } : {});
      t.match(answer, { status: 404, body: { success: false, code: 'NOT_FOUND' } }, path);
      t.equal(answer.headers.get(cors), path.startsWith('/api/public/') ? '*' : null, path);
    }
  }
  const broken = await service.call('GET', '/api/v1/%E0%A4%A');
  t.match(broken, { status: 400, body: { success: false, code: 'INVALID_REQUEST' } });
});

test('a wrong method is 405 with Allow, before the key is checked', async (t) => {
  const service = await joinHttpService();
  const rows: [string, string, string][] = [
    ['GET', '/api/v1/proofs', 'OPTIONS, POST'],
    ['DELETE', '/api/v1/proofs', 'OPTIONS, POST'],
    ['HEAD', '/api/v1/proofs', 'OPTIONS, POST'],
    ['POST', '/api/v1/proofs/x', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/public/v1/workspaces', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/readyz', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, allow] of rows) {
    const answer = await service.call(method, path);
    t.equal(answer.status, 405, path);
    t.equal(answer.headers.get('allow'), allow);
    if (method === 'HEAD') t.equal(answer.text, '');
    else t.match(answer.body, { success: false, code: 'METHOD_NOT_ALLOWED' });
  }
});

test('the mirror allows pages of any origin and their preflights, the primary base does not', async (t) => {
  // A route that fails for lack of its dependencies.
  const webhooks = {} as Services['webhooks'];
  const service = await startHttpService(t, { services: { webhooks } });
  const { key, organisationId } = await service.openOrganisation();
  const spent = await service.issueKey(organisationId, { requestsPerMinute: 1 });
  t.equal((await service.call('GET', '/workspaces', { key: spent })).status, 200);
  const origin = { origin: 'https://example.org' };
  const asked = { ...origin, 'access-control-request-method': 'POST' };
  const preflight = await service.call('OPTIONS', '/api/public/v1/proofs', { headers: asked });
  t.equal(preflight.status, 204);
  t.equal(preflight.text, '');
  t.equal(preflight.headers.get(cors), '*');
  t.equal(preflight.headers.get('access-control-allow-credentials'), null);
  for (const path of ['/proofs', '/nothing', '/proofs/x', '/api/public/verify/x']) {
    const target = path.startsWith('/api') ? path : `/api/public/v1${path}`;
    const { status, headers } = await service.call('OPTIONS', target, { headers: asked });
    t.equal(status, 204, path);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      t.match(headers.get('access-control-allow-methods'), method);
    }
    for (const name of allowedNames) {
      t.match(headers.get('access-control-allow-headers'), name);
    }
    t.match(headers.get('access-control-max-age'), /^[1-9]\d+$/);
  }
  const options = await service.call('OPTIONS', '/api/public/v1/proofs');
  t.strictSame([options.status, options.headers.get('allow')], [204, 'OPTIONS, POST']);

  const plain = await service.call('OPTIONS', '/api/v1/proofs', { headers: asked });
  t.equal(plain.status, 204);
  t.equal(plain.headers.get('allow'), 'OPTIONS, POST');
  t.equal(plain.headers.get('access-control-allow-methods'), null);

  for (const [base, expected] of [
    ['/api/public/v1', '*'],
    ['/api/v1', null],
  ] as const) {
    const calls = [
      service.call('GET', `${base}/workspaces`, { key, headers: origin }),
      service.call('GET', `${base}/workspaces`, { headers: origin }),
      service.call('POST', `${base}/proofs`, { key, json: {}, headers: origin }),
      service.call('GET', `${base}/proofs`, { key, headers: origin }),
      service.call('GET', `${base}/nothing`, { key, headers: origin }),
      service.call('POST', `${base}/proofs`, { key, body: ' '.repeat(2_000_000) }),
      service.call('GET', `${base}/workspaces`, { key: spent, headers: origin }),
      service.call('GET', `${base}/webhooks`, { key, headers: origin }),
    ];
    const answers = await Promise.all(calls);
    t.strictSame(
      answers.map(({ status }) => status),
      [200, 401, 400, 405, 404, 415, 429, 500],
    );
    for (const { headers } of answers) {
      t.equal(headers.get(cors), expected);
      t.equal(headers.get('access-control-allow-credentials'), null);
      const exposed = headers.get('access-control-expose-headers');
      if (expected === null) t.equal(exposed, null);
      else for (const name of exposedNames) t.ok(exposed?.split(', ').includes(name), name);
    }
  }
});

test('HEAD is GET without the body', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  const got = await service.call('GET', '/workspaces', { key });
  const head = await service.call('HEAD', '/workspaces', { key });
  t.strictSame([head.status, head.text], [200, '']);
  t.equal(head.headers.get('content-length'), String(Buffer.byteLength(got.text)));
  t.equal((await service.call('HEAD', '/workspaces')).status, 401);
});

test('distinguishes alive from ready, and names the parts not ready', async (t) => {
  let notReady: string[] | Error = [];
  const readiness = async () => {
    if (notReady instanceof Error) throw notReady;
    return notReady;
  };
  let degraded: string[] = [];
  const services = { lifecycle: { readiness, degraded: async () => degraded } };
  const service = await startHttpService(t, { services });
  t.match(await service.call('GET', '/healthz'), { status: 200, body: { success: true } });
  t.match(await service.call('GET', '/readyz'), { status: 200, body: { success: true } });
  degraded = ['uploads: refused'];
  const ready = await service.call('GET', '/readyz');
  t.strictSame([ready.status, ready.body], [200, { success: true, degraded }]);
  const expectNot = async (names: string[]) => {
    const answer = await service.call('GET', '/readyz');
    t.strictSame([answer.status, answer.body.code], [503, 'SERVICE_UNAVAILABLE']);
    t.strictSame(answer.body.notReady, names);
    for (const name of names) t.match(answer.body.message, name);
    t.equal((await service.call('GET', '/healthz')).status, 200);
  };
  notReady = ['ledger testnet', 'projection anchors'];
  await expectNot(notReady);
  notReady = new Error('boom');
  await expectNot(['readiness check']);
  notReady = [];
  service.drain();
  await expectNot(['draining']);
});
