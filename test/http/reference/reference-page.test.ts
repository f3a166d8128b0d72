import { test } from 'tap';
import { scopes } from '../../../src/domain/key/scope.ts';
import { webhookEventKinds } from '../../../src/domain/webhook/event-kind.ts';
import { codesOf } from '../../../src/http/openapi/codes-of.ts';
import { routes } from '../../../src/http/routes.ts';
import { joinHttpService } from '../../support/http-service.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { sampleLanguages, samplesIn } from '../../support/reference-samples.ts';

const described = [...routes.based, ...routes.root];

async function loadPage() {
  const { url, port } = await joinHttpService();
  const response = await fetch(`${url}/reference`);
  return { url, port, response, html: await response.text() };
}

/** The whole article of an operation. */
function articleOf(html: string, id: string): string {
  return html.match(new RegExp(`<article class="call" id="${id}"[\\s\\S]*?</article>`))?.[0] ?? '';
}

test('the policy of the reference allows this service alone, and no inline code', async (t) => {
  const { response, html } = await loadPage();
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;/);
  t.match(policy, /connect-src 'self'; form-action 'none'/);
  t.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
  t.notMatch(policy, /unsafe|https?:/);
  t.notMatch(html, /<script(?![^>]*(src=|application\/json))|<style|\sstyle=|\son\w+=/);
});

test('every operation is on the page with three examples, its errors and its scope', async (t) => {
  const { html } = await loadPage();
  const samples = samplesIn(html);
  for (const route of described) {
    const { operationId, summary, scope } = route;
    const article = articleOf(html, operationId);
    t.ok(article.includes(summary.replaceAll('"', '&quot;')), `${operationId} has its summary`);
    t.strictSame(Object.keys(samples.get(operationId) ?? {}), sampleLanguages, operationId);
    for (const code of codesOf(route)) {
      t.ok(article.includes(`href="#error-${code}"`), `${operationId} lists ${code}`);
    }
    t.ok(article.includes(scope === null ? 'No key is needed' : `<code>${scope}</code>`));
    t.ok(html.includes(`<a href="#${operationId}">`), `${operationId} is in the contents`);
  }
  t.equal(samples.size, described.length + webhookEventKinds.length + 1);
});

test('every event is on the page with its fields and an example', async (t) => {
  const { html } = await loadPage();
  for (const kind of webhookEventKinds) {
    const id = `on${kind.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`;
    const article = articleOf(html, id);
    t.ok(article.includes(`&quot;type&quot;: &quot;${kind}&quot;`), `${kind} has an example`);
    t.match(article, /<ul class="fields">[\s\S]*<code class="name">data<\/code>/);
  }
});

test('authentication comes first, with every scope', async (t) => {
  const { html } = await loadPage();
  const [first] = html.match(/<h2[\s\S]*?<\/h2>/) ?? [];
  t.match(first, 'Authentication');
  const [section = ''] =
    html.match(/<section class="part-of" id="authentication"[\s\S]*?<\/section>/) ?? [];
  for (const scope of scopes) t.match(section, `<code>${scope}</code>`);
  t.ok(html.indexOf('id="authentication"') < html.indexOf('<article'));
});

test('every anchor is unique, and every link within the page has its target', async (t) => {
  const { html } = await loadPage();
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  t.equal(new Set(ids).size, ids.length);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  t.strictSame(
    targets.filter((id) => !ids.includes(id)),
    [],
  );
});

/** A quarter of the 452,909 bytes in Brotli (527,243 in gzip) that swagger-ui needed. */
const limits = { br: 113_227, gzip: 131_810 };

test('the whole transfer is less than a quarter of what swagger-ui needed', async (t) => {
  const { url, port, html } = await loadPage();
  const files = new Map([['reference', html]]);
  const todo = [...html.matchAll(/(?:src|href)="\.\/(pages\/[^"]+)"/g)].map(
    ([, path]) => `${path}`,
  );
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (files.has(path)) continue;
    const asset = await fetch(`${url}/${path}`);
    t.equal(asset.status, 200, path);
    t.match(asset.headers.get('content-type'), /^text\/(?:css|javascript); charset=utf-8$/);
    const text = await asset.text();
    files.set(path, text);
    const imported = text.matchAll(/^import [^'"]*['"]\.\/([^'"]+)['"]/gm);
    todo.push(...[...imported].map(([, name]) => `pages/${name}`));
  }
  t.ok(files.size > 8, 'styles and modules are counted');
  const sizes = { br: 0, gzip: 0 };
  for (const path of files.keys()) {
    for (const coding of ['br', 'gzip'] as const) {
      const headers = { 'accept-encoding': coding };
      const sent = await rawRequest({ port, path: `/${path}`, headers });
      t.equal(sent.headers['content-encoding'], coding, path);
      sizes[coding] += sent.body.length;
    }
  }
  t.ok(sizes.br < limits.br, `${sizes.br} bytes in Brotli`);
  t.ok(sizes.gzip < limits.gzip, `${sizes.gzip} bytes in gzip`);
  t.comment(sizes);
});
