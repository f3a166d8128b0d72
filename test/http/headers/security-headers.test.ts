import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'tap';
import { type Answer, startHttpService } from '../../support/http-service.ts';

const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

const shown = ({ headers }: Pick<Answer, 'headers'>) => ({
  policy: headers.get('content-security-policy'),
  sniffing: headers.get('x-content-type-options'),
  referrer: headers.get('referrer-policy'),
  resource: headers.get('cross-origin-resource-policy'),
  transport: headers.get('strict-transport-security'),
  cached: headers.get('cache-control'),
});

const strict = {
  policy: apiPolicy,
  sniffing: 'nosniff',
  referrer: 'no-referrer',
  resource: 'same-origin',
  transport: null,
  cached: 'no-store',
};

test('every answer forbids browsers to run, frame, sniff and cache it', async (t) => {
  const service = await startHttpService(t, { limits: { requestTimeoutMs: 200 } });
  const { key } = await service.openOrganisation();
  const answers: [string, string, object][] = [
    ['GET', '/workspaces', { key }],
    ['GET', '/workspaces', {}],
    ['POST', '/api-keys', { key, json: { scopes: ['documents:read'] } }],
    ['OPTIONS', '/workspaces', {}],
    ['PUT', '/workspaces', {}],
    ['GET', '/nothing', {}],
    ['GET', '/healthz', {}],
  ];
  for (const [method, path, options] of answers) {
    t.strictSame(shown(await service.call(method, path, options)), strict, `${method} ${path}`);
  }
  const keyed = await service.call('GET', '/workspaces', { key });
  t.equal(keyed.headers.get('vary'), 'Authorization');
  for (const path of ['/api/public/v1/workspaces', '/api/public/verify/x', '/api/public/x']) {
    const open = { ...strict, resource: 'cross-origin' };
    t.strictSame(shown(await service.call('GET', path)), open, path);
  }
  const broken: [string, number, string, string | null][] = [
    ['nonsense\r\n\r\n', 400, 'same-origin', null],
    [
      'POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
      401,
      'same-origin',
      null,
    ],
    [
      `POST /api/public/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
      408,
      'cross-origin',
      '*',
    ],
  ];
  for (const [bytes, status, resource, origin] of broken) {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.write(bytes);
    const [text] = await once(socket.setEncoding('utf8'), 'data');
    socket.destroy();
    const lines = String(text).split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? [];
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
    t.match(String(text), `HTTP/1.1 ${status} `);
    t.strictSame(shown({ headers }), { ...strict, resource }, bytes);
    t.equal(headers.get('access-control-allow-origin'), origin);
  }
});

test('a service on HTTPS sends Strict-Transport-Security', async (t) => {
  const service = await startHttpService(t, { services: { site: { https: true } } });
  const answer = await service.call('GET', '/healthz');
  t.equal(shown(answer).transport, 'max-age=31536000');
});

test('ignores a request id sent by the caller', async (t) => {
  const service = await startHttpService(t);
  const headers = { 'x-request-id': '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  const ids = [1, 2].map(async () => {
    const answer = await service.call('GET', '/healthz', { headers });
    return answer.headers.get('x-request-id');
  });
  const [one, other] = await Promise.all(ids);
  t.match(one, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  t.not(one, other);
  t.not(one, headers['x-request-id']);
  t.notMatch(service.log.join(), headers['x-request-id']);
});
