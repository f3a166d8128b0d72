import { test } from 'tap';
import { documentOf } from '../../support/contract/closed-document.ts';
import { startHttpService } from '../../support/http-service.ts';

test('serves the document to anyone under both bases, and again only if it changed', async (t) => {
  const { call, url } = await startHttpService(t);
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
