import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { inFrame } from '../../../src/http/pages/in-frame.ts';
import { pagePolicy } from '../../../src/http/pages/page-policy.ts';
import { joinHttpService, startHttpService } from '../../support/http-service.ts';
import { rawRequest } from '../../support/raw-request.ts';

const hash = 'A'.repeat(64);
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('serves pages and their files compressed, and again only if they changed', async (t) => {
  const { port } = await joinHttpService();
  const get = (path: string, headers = {}, method = 'GET') =>
    rawRequest({ port, path, method, headers });
  const rows: [string, string][] = [
    ['/', 'text/html; charset=utf-8'],
    ['/verify', 'text/html; charset=utf-8'],
    [`/verify/${hash}`, 'text/html; charset=utf-8'],
    ['/log', 'text/html; charset=utf-8'],
    ['/pages/style.css', 'text/css; charset=utf-8'],
    ['/pages/preview.png', 'image/png'],
    ['/verify.py', 'text/x-python; charset=utf-8'],
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

test('every page has one frame: title, preview, navigation and footer', async (t) => {
  const { port } = await joinHttpService();
  for (const [path, current, address] of [
    ['/', './', '/'],
    ['/verify', './verify', '/verify'],
    [`/verify/${hash}`, '../verify', null],
    ['/log', './log', '/log'],
    ['/reference', './reference', '/reference'],
    ['/nothing', null, null],
  ] as const) {
    const headers = { accept: browser };
    const html = (await rawRequest({ port, path, headers })).body.toString();
    const [shown = ''] = html.split('id="texts"');
    t.notMatch(shown, /\{\{|\{(head|content|operator)\}/, `${path}: every placeholder is filled`);
    const [, title] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
    t.match(html, `<meta property="og:title" content="${title}">`, path);
    t.match(html, /<meta property="og:description" content="[^"]{40,}">/);
    const [, leadsTo = null] = /<meta property="og:url" content="([^"]*)">/.exec(html) ?? [];
    t.equal(leadsTo?.replace(/^https?:\/\/[^/]+/, '') ?? null, address, `${path}: of its preview`);
    for (const once of ['<main', '</main>', '<footer>', '</head>', '<header', '<h1', '</html>']) {
      t.equal(html.split(once).length, 2, `${path}: ${once}`);
    }
    const currents = [...html.matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, to]) => to);
    t.strictSame(currents, current === null ? [] : [current], path);
  }
  t.throws(() => inFrame('x', '{content}', '<p>no content</p>'), /page x has no content/);
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
  const log = await rawRequest({ port, path: '/log/' });
  t.match(log, { status: 308, headers: { location: '../log' } });
  t.match(await rawRequest({ port, path: '/verify/%ZZ' }), { status: 400 }, 'no path at all');
  t.match(await rawRequest({ port, path: `/verify/${hash.toLowerCase()}` }), { status: 200 });
});

test('a browser gets an error as a page, a program as JSON', async (t) => {
  const { port } = await joinHttpService();
  const get = async (path: string, accept?: string, method = 'GET') => {
    const headers = accept === undefined ? {} : { accept };
    const { status, headers: answered, body } = await rawRequest({ port, path, method, headers });
    return { status, answered, type: answered['content-type'], body: body.toString() };
  };
  for (const [path, root] of [
    ['/nothing', './'],
    ['/a/b/c', '../../'],
    ['/pages/nothing.js', '../'],
    [`/${'a/'.repeat(2_000)}`, '/'],
  ] as const) {
    const page = await get(path, browser);
    t.match(page, { status: 404, type: 'text/html; charset=utf-8' }, path.slice(0, 20));
    t.match(page.body, `href="${root}verify"`);
    t.match(page.body, 'There is nothing at this path.');
    t.match(page.body, `<code>${page.answered['x-request-id']}</code>`);
    t.notMatch(page.body, /\{\w+\}/, 'every placeholder is filled');
    t.match(page.answered, { vary: 'Accept', 'cache-control': 'no-store' });
    t.match(page.answered['content-security-policy'], "default-src 'none'");
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html']) {
      const json = await get(path, accept);
      t.match(json, { status: 404, type: /^application\/json/, answered: { vary: 'Accept' } });
      t.match(JSON.parse(json.body), { success: false, code: 'NOT_FOUND' });
    }
  }
  t.match(await get('/verify/%ZZ', browser), { status: 400, type: /^text\/html/ });
  t.match(await get('/nothing', browser, 'HEAD'), { status: 404, type: /^text\/html/, body: '' });
  t.match(await get('/nothing', browser, 'POST'), { status: 404, type: /^application\/json/ });
  for (const path of ['/api', '/api/v1/nothing', '/api/v1/proofs', '/api/public/v1/nothing']) {
    t.match((await get(path, browser)).type, /^application\/json/, 'the API speaks JSON');
  }
  for (const path of ['%3Cscript%3Ealert(1)%3C/script%3E', '<script>', '{requestId}']) {
    t.notMatch((await get(`/${path}`, browser)).body, /<script|alert/, 'repeats no address');
  }
});

test('the pages say who runs the service, and by what people recognise it', async (t) => {
  const address = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
  const operator = {
    name: 'Söhne & <b>Töchter</b>',
    contact: 'mailto:help@proofs.example',
    imprintUrl: 'https://proofs.example/imprint?a=1&b="2"',
    privacyUrl: null,
  };
  let isAway = false;
  const logKeys = async () => {
    if (isAway) throw new Error('the database is away');
    return ['proofs.example/log+0badf00d+AbCd'];
  };
  const ledger = { ownAccounts: [{ network: 'testnet', address }] } as const;
  const own = { ledger, site: { operator }, publishedLog: { logKeys } };
  const { port } = await startHttpService(t, { services: own });
  const get = async (path: string, headers = {}) => {
    const { status, headers: answered, body } = await rawRequest({ port, path, headers });
    return { status, etag: answered.etag, html: body.toString() };
  };
  isAway = true;
  t.match((await get('/')).html, 'Not available at the moment', 'the page works without them');
  for (const path of ['/', '/verify', `/verify/${hash}`]) {
    const { status, html } = await get(path);
    t.equal(status, 200);
    t.match(html, 'Operated by <strong>Söhne &amp; &lt;b>Töchter&lt;/b></strong>', path);
    t.match(html, '<a href="https://proofs.example/imprint?a=1&amp;b=&quot;2&quot;">Imprint</a>');
    t.match(html, '<a href="mailto:help@proofs.example">Contact</a>');
    t.notMatch(html, />Privacy</);
    const [shown = ''] = html.split('id="texts"');
    t.notMatch(shown, /\{(operator|accounts|logKeys)\}/);
  }
  t.match((await get('/nothing', { accept: browser })).html, 'Operated by <strong>');
  const named = await startHttpService(t, {
    services: { ...own, publishedLog: { logKeys: async () => ['k+1+A'] } },
  });
  const { body } = await rawRequest({ port: named.port, path: '/' });
  t.match(body.toString(), `<code>${address}</code> <span class="hint">test network`);
  t.match(body.toString(), '<code>k+1+A</code>');
  for (const path of ['/', '/verify', `/verify/${hash}`]) {
    const html = (await rawRequest({ port: named.port, path })).body.toString();
    const [, keys = ''] = /id="service-keys">(.*?)<\/script>/.exec(html) ?? [];
    t.strictSame(JSON.parse(keys).log, ['k+1+A'], `${path}: the verifier knows the keys`);
    t.equal(html.split('id="service-keys"').length, 2);
  }
  const silent = await rawRequest({ port: (await joinHttpService()).port, path: '/verify' });
  t.notMatch(silent.body.toString(), 'Operated by <');
});

test('the first page leads people to the console, which answers', async (t) => {
  const { port } = await joinHttpService();
  const home = await rawRequest({ port, path: '/' });
  t.match(home.body.toString(), '<a href="./console">Open the console</a>');
  const { status } = await rawRequest({ port, path: '/console', headers: { accept: browser } });
  t.ok(status < 400, String(status));
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
    services: { site: { publicUrl: () => 'https://proofs.example/base/' } },
  });
  for (const path of ['/', `/verify/${hash}`]) {
    const { body } = await rawRequest({ port, path });
    const image =
      '<meta property="og:image" content="https://proofs.example/base/pages/preview.png">';
    t.match(body.toString(), image, 'other sites need the whole address');
  }
  const policyOf = async (host: string, path = '/verify') => {
    const { headers } = await rawRequest({ port, path, headers: { host } });
    return String(headers['content-security-policy']);
  };
  const policy = await policyOf('localhost:3000');
  t.match(
    policy,
    '; connect-src localhost:3000/api/public/verify/ proofs.example/base/api/public/verify/ ' +
      'localhost:3000/log/certificates/ proofs.example/base/log/certificates/; ',
  );
  const ofLog = await policyOf('localhost:3000', '/log');
  t.match(ofLog, '; connect-src localhost:3000/log/ proofs.example/base/log/; ');
  for (const part of ["default-src 'none'", "script-src 'self'", "form-action 'none'"]) {
    t.match(policy, part);
  }
  t.notMatch(policy, /unsafe|\*|https?:/);
  for (const host of ['[::1]:3000', "a; script-src 'unsafe-inline'", '*', 'a,b']) {
    t.equal(
      (await policyOf(host)).match(/connect-src ([^;]*)/)?.[1],
      'proofs.example/base/api/public/verify/ proofs.example/base/log/certificates/',
      host,
    );
  }
  t.match(pagePolicy({ host: '[::1]:3000' }, 'http://[::1]:3000'), "connect-src 'self'");
  const reader = await policyOf('localhost:3000', '/pages/reading-worker.js');
  t.equal(reader, "default-src 'none'; script-src 'self'; frame-ancestors 'none'");
});

test('the page states the SHA-256 of the verifier that it offers', async (t) => {
  const { port } = await joinHttpService();
  const get = async (path: string) => (await rawRequest({ port, path, method: 'GET' })).body;
  const digest = createHash('sha256')
    .update(await get('/verify.py'))
    .digest('hex');
  for (const path of ['/verify', `/verify/${hash}`]) t.match(String(await get(path)), digest);
});
