import { test } from 'tap';
import { joinHttpService } from '../../support/http-service.ts';

test('the reference loads its package from this service, and may request only the document', async (t) => {
  const { url, port } = await joinHttpService();
  const page = await fetch(`${url}/reference`);
  t.equal(page.status, 200);
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;/);
  t.ok(policy.includes(`connect-src 127.0.0.1:${port}/api/v1/openapi.json;`), policy);
  t.notMatch(policy, /unsafe/);
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="\.\/(pages\/[^"]+)"/g)].map(([, path]) => path);
  t.ok(loaded.length >= 4);
  for (const path of loaded) {
    const asset = await fetch(`${url}/${path}`);
    t.equal(asset.status, 200, `${path}`);
    t.match(asset.headers.get('content-type'), /^text\/(?:css|javascript); charset=utf-8$/);
    await asset.arrayBuffer();
  }
  for (const path of ['package.json', 'swagger-ui.js', '..%2Fkoa%2Fpackage.json']) {
    t.equal((await fetch(`${url}/pages/swagger-ui/${path}`)).status, 404, path);
  }
});
