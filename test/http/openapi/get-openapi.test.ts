import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { documentOf } from '../../support/contract/closed-document.ts';
import { joinHttpService } from '../../support/http-service.ts';
import { rawRequest } from '../../support/raw-request.ts';

test('serves the document to anyone under both bases, and again only if it changed', async (t) => {
  const { call, url } = await joinHttpService();
  const answer = await call('GET', '/openapi.json');
  t.equal(answer.status, 200);
  t.match(answer.body, { openapi: /^3\.1\./, info: { version: '1.14.0' } });
  t.strictSame(answer.body, documentOf(url));
  t.strictSame(
    answer.body.servers.map((server: { url: string }) => server.url),
    [`${url}/api/v1`, `${url}/api/public/v1`],
  );
  const mirror = await call('GET', '/api/public/v1/openapi.json');
  t.equal(mirror.text, answer.text);
  t.equal(mirror.headers.get('access-control-allow-origin'), '*');
  const etag = answer.headers.get('etag') ?? '';
  const again = await call('GET', '/openapi.json', { headers: { 'if-none-match': etag } });
  t.match(again, { status: 304, text: '' });
  t.equal(again.headers.get('etag'), etag);
});

test('compresses the document, with an entity tag for each coding', async (t) => {
  const { port } = await joinHttpService();
  const get = (headers = {}) => rawRequest({ port, path: '/api/v1/openapi.json', headers });
  const plain = await get();
  t.match(plain.headers, { 'content-encoding': undefined, vary: /Accept-Encoding/ });
  const br = await get({ 'accept-encoding': 'gzip, deflate, br' });
  t.equal(br.headers['content-encoding'], 'br');
  t.ok(brotliDecompressSync(br.body).equals(plain.body));
  const gzip = await get({ 'accept-encoding': 'gzip' });
  t.ok(gunzipSync(gzip.body).equals(plain.body));
  t.ok(gzip.body.length * 4 < plain.body.length);
  const tags = [plain, br, gzip].map(({ headers }) => headers.etag);
  t.equal(new Set(tags).size, 3);
  const again = { 'accept-encoding': 'gzip', 'if-none-match': gzip.headers.etag };
  t.match(await get(again), { status: 304, headers: { etag: gzip.headers.etag } });
});
