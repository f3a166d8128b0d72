import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { pagePolicy } from '../../../src/http/pages/page-policy.ts';
import { joinHttpService, startHttpService } from '../../support/http-service.ts';
import { rawRequest } from '../../support/raw-request.ts';

const hash = 'A'.repeat(64);

test('serves pages and their files compressed, and again only if they changed', async (t) => {
  const { port } = await joinHttpService();
  const get = (path: string, headers = {}, method = 'GET') =>
    rawRequest({ port, path, method, headers });
  const rows: [string, string][] = [
    ['/', 'text/html; charset=utf-8'],
    ['/verify', 'text/html; charset=utf-8'],
    [`/verify/${hash}`, 'text/html; charset=utf-8'],
    ['/pages/style.css', 'text/css; charset=utf-8'],
    ['/pages/verify.js', 'text/javascript; charset=utf-8'],
    ['/pages/noble-hashes/sha2.js', 'text/javascript; charset=utf-8'],
    ['/pages/verifier/bundle/extract-bundle.js', 'text/javascript; charset=utf-8'],
  ];
  for (const [path, type] of rows) {
    const plain = await get(path);
    t.equal(plain.status, 200, path);
    t.equal(plain.headers['content-type'], type);
    t.equal(plain.headers['content-encoding'], undefined);
    t.match(plain.headers, { vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' });
    t.equal(plain.headers.etag, `"${createHash('sha256').update(plain.body).digest('hex')}"`);
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br;q=0.9' });
    t.equal(br.headers['content-encoding'], 'br');
    t.ok(brotliDecompressSync(br.body).equals(plain.body));
    const gzip = await get(path, { 'accept-encoding': 'br;q=0, gzip' });
    t.ok(gunzipSync(gzip.body).equals(plain.body));
    const again = await get(path, { 'if-none-match': plain.headers.etag });
    t.match(again, { status: 304, headers: { etag: plain.headers.etag } });
    t.equal(again.body.length, 0);
    const head = await get(path, {}, 'HEAD');
    t.equal(head.headers['content-length'], String(plain.body.length));
    t.equal(head.body.length, 0);
  }
});

test('an address without a transaction hash is 400, with the help page', async (t) => {
  const { port } = await joinHttpService();
  for (const wrong of ['x', hash.slice(1), `${hash}0`, '%3Cscript%3E', '%25ZZ']) {
    const { status, headers, body } = await rawRequest({ port, path: `/verify/${wrong}` });
    t.match({ status, headers }, { status: 400, headers: { 'content-type': /^text\/html/ } });
    t.notMatch(body.toString(), '<script>', 'the page does not repeat the address');
    t.match(body.toString(), '"../pages/verify.js"', 'from one level below');
  }
  const slash = await rawRequest({ port, path: '/verify/' });
  t.match(slash, { status: 308, headers: { location: '../verify' } });
  t.match(await rawRequest({ port, path: '/verify/%ZZ' }), { status: 400 }, 'no path at all');
  t.match(await rawRequest({ port, path: `/verify/${hash.toLowerCase()}` }), { status: 200 });
});

test('serves no other file', async (t) => {
  const { port } = await joinHttpService();
  const outside = [
    '..%2F..%2Fpackage.json',
    'tsconfig.json',
    'home.html',
    'texts',
    'texts%2Fen.json',
  ];
  for (const name of [
    ...outside,
    'constructor',
    'noble-hashes/index.js',
    'noble-hashes/sha2.d.ts',
    'verifier/bundle/extract-bundle.ts',
    'domain/proof/digest-of.js',
  ]) {
    t.match(await rawRequest({ port, path: `/pages/${name}` }), { status: 404 }, name);
  }
});

test('a page may request verifications from any address of this service', async (t) => {
  const { port } = await startHttpService(t, {
    services: { publicUrl: () => 'https://proofs.example/base/' },
  });
  const policyOf = async (host: string, path = '/verify') => {
    const { headers } = await rawRequest({ port, path, headers: { host } });
    return String(headers['content-security-policy']);
  };
  const policy = await policyOf('localhost:3000');
  t.match(
    policy,
    '; connect-src localhost:3000/api/public/verify/ proofs.example/base/api/public/verify/; ',
  );
  for (const part of ["default-src 'none'", "script-src 'self'", "form-action 'none'"]) {
    t.match(policy, part);
  }
  t.notMatch(policy, /unsafe|\*|https?:/);
  for (const host of ['[::1]:3000', "a; script-src 'unsafe-inline'", '*', 'a,b']) {
    t.equal(
      (await policyOf(host)).match(/connect-src ([^;]*)/)?.[1],
      'proofs.example/base/api/public/verify/',
      host,
    );
  }
  t.match(pagePolicy({ host: '[::1]:3000' }, 'http://[::1]:3000'), "connect-src 'self'");
  const reader = await policyOf('localhost:3000', '/pages/reading-worker.js');
  t.equal(reader, "default-src 'none'; script-src 'self'; frame-ancestors 'none'");
});
