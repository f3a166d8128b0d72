import tap, { type Test, test } from 'tap';
import { closeOrganisation } from '../../../src/commands/close-organisation.ts';
import { endOrganisation } from '../../../src/commands/end-organisation.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { createOrganisationEnding } from '../../../src/event-store/organisation-ending.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { openTestStore } from '../../support/event-store.ts';
import { operator } from '../../support/http-service.ts';
import { createScriptedAttesting } from '../../support/scripted-attesting.ts';
import { sharedRenderer } from '../../support/shared-renderer.ts';
import { until } from '../../support/until.ts';

const { newMaker } = sharedRenderer(tap);
const name = 'Vertrag "1" <b>&{time}\\ \u202egpj.txt';
const browser = { accept: 'text/html' };

async function startSite(t: Test) {
  let now: number | null = null;
  const services = {
    certification: { certificates: newMaker() },
    sources: { now: () => new Date(now ?? Date.now()) },
  };
  const site = await joinDocumentService(t, { services });
  const { service, key } = site;
  const { proofId } = (await site.upload({ name, bytes: 'x' })).body.data as { proofId: string };
  const links = `/proofs/${proofId}/links`;
  const create = async (json: object = {}) =>
    (await service.call('POST', links, { key, json })).body.data;
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { ...site, proofId, links, create, get, setNow: (at: number | null) => (now = at) };
}

test('an owner shares a proof by a page, a badge and a bundle, and withdraws it', async (t) => {
  const { service, key, links, create, get, proofId } = await startSite(t);
  const link = await create({ showFileName: true });
  t.match(link, { proofId, showFileName: true, allowIndexing: false, expiresAt: null });
  t.match(link.url, /\/shared\/[A-Za-z0-9_-]{43}$/);
  const token = link.url.split('/').at(-1);
  const stored = JSON.stringify(await service.store.readLog(0, 10_000));
  t.notMatch(stored, token, 'only the hash of the token is stored');

  const page = await get(link.url, browser);
  t.equal(page.status, 200);
  for (const [header, value] of Object.entries({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  })) {
    t.equal(page.headers.get(header), value, header);
  }
  const policy = String(page.headers.get('content-security-policy'));
  t.match(policy, `/shared/${token}/bundle.json`);
  t.notMatch(policy, /unsafe|\*/);
  t.match(page.text, 'Vertrag &quot;1&quot; &lt;b>&amp;{time}\\ \ufffdgpj.txt');
  t.notMatch(page.text, /<b>|\u202e/, 'a file name cannot become HTML, or turn the text around');
  t.match(page.text, /<meta property="og:title" content="Shared proof of/);
  t.match(page.text, `<meta property="og:url" content="${link.url}">`);
  const time = /\d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d:\d\d UTC/.source;
  for (const name of ['name="description"', 'property="og:description"']) {
    t.match(page.text, new RegExp(`<meta ${name} content="[^"<]* no later than ${time}, [^"<]*">`));
  }
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.source;
  t.match(page.text, new RegExp(`no later than <time datetime="${iso}">${time}</time>`));
  t.match(page.text, '<meta name="robots" content="noindex, nofollow, noarchive">');
  t.match(page.text, 'Acme');
  const [, texts = ''] = /id="texts">(.*?)<\/script>/s.exec(page.text) ?? [];
  t.ok(JSON.parse(texts).verdict, 'no value gets into the texts of the scripts');

  const shared = readBundle((await get(link.bundleUrl)).text);
  t.match(shared, { file: { fileName: name }, commitment: { nonce: null } });
  const badge = await get(link.badgeUrl);
  t.equal(badge.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  t.equal(badge.headers.get('cross-origin-resource-policy'), 'cross-origin');
  t.match(badge.text, 'recorded on a test network no later than');
  t.notMatch(badge.text, /<script|style=/);

  const listed = await service.call('GET', links, { key });
  const { url, badgeUrl, bundleUrl, ...rest } = link;
  t.strictSame(listed.body.data, [rest], 'without the address');
  const withdrawn = await service.call('DELETE', `${links}/${link.id}`, { key });
  t.match(withdrawn, { status: 200, body: { data: { id: link.id } } });
  const gone = await get(link.url, browser);
  t.equal(gone.status, 410);
  t.match(gone.text, '<h1>This proof is no longer shared</h1>');
  t.equal(gone.headers.get('cache-control'), 'no-store');
  t.match(JSON.parse((await get(link.bundleUrl)).text), { code: 'NO_LONGER_SHARED' });
  const grey = await get(link.badgeUrl);
  t.equal(grey.status, 410);
  t.match(grey.text, 'no longer shared');
  t.match(await service.call('GET', links, { key }), { body: { data: [] } });
  const again = await service.call('DELETE', `${links}/${link.id}`, { key });
  t.match(again, { status: 404, body: { code: 'LINK_NOT_FOUND' } });
  t.notMatch(service.log.join('\n'), token, 'the token is in no log line');
});

test('a page shows no more than its owner chose', async (t) => {
  const { create, get, proofId, service, key } = await startSite(t);
  const link = await create({ allowIndexing: true });
  const page = await get(link.url);
  t.notMatch(page.text, 'Vertrag');
  t.match(page.text, 'Shared proof of a file');
  t.equal(page.headers.get('x-robots-tag'), null);
  t.notMatch(page.text, 'name="robots"');
  const { text } = await get(link.bundleUrl);
  t.notMatch(text, 'Vertrag');
  t.match(readBundle(text), { file: { fileName: null }, commitment: { nonce: null } });
  const { body } = await service.call('GET', `/proofs/${proofId}?includeSalt=true`, { key });
  const { proofNonce } = body.data;
  t.match(proofNonce, /^[0-9a-f]{64}$/);
  for (const shown of [page.text, text]) t.notMatch(shown, proofNonce, 'the nonce is never shown');
});

test('a link ends by itself, with its organisation, and never begins for a wrong token', async (t) => {
  const { create, get, setNow, service, organisationId } = await startSite(t);
  const end = Date.now() + 3_600_000;
  const link = await create({ expiresAt: new Date(end).toISOString() });
  t.equal((await get(link.url)).status, 200);
  setNow(end);
  t.equal((await get(link.url)).status, 410, 'expired');
  t.equal((await get(link.badgeUrl)).status, 410);
  setNow(null);
  t.equal((await get(link.url)).status, 200);
  for (const wrong of [
    'x',
    'A'.repeat(43),
    `${link.url.split('/').at(-1)}a`,
    '%00',
    '..%2f',
    "'",
  ]) {
    const { status, text } = await get(`${service.url}/shared/${wrong}`, browser);
    t.equal(status, 410, wrong);
    t.notMatch(text, 'Acme');
  }
  t.equal((await get(`${link.url}/`)).status, 308);
  const { pool, store } = openTestStore(t, service.databaseUrl);
  const deps = { store, ending: createOrganisationEnding(pool) };
  await closeOrganisation(deps, organisationId, operator);
  t.equal((await get(link.url)).status, 410, 'of a closed organisation');
  await endOrganisation(deps, organisationId, operator);
  for (const url of [link.url, link.badgeUrl, link.bundleUrl]) {
    t.equal((await get(url)).status, 410, 'of an erased organisation');
  }
  const own = [organisationId];
  const rows = async () =>
    (await pool.query('SELECT FROM links WHERE organisation_id = $1', own)).rows;
  await until(
    'the rows of the erased organisation are deleted',
    async () => (await rows()).length === 0,
  );
});

test('each 1,000 ledger headers of a shared bundle cost its reader one more request', async (t) => {
  const { create, get, proofId, service, links, key } = await startSite(t);
  await createScriptedAttesting(service.store).attest(proofId as ProofId, 2_500);
  const link = await create();
  const read = async (url: string) => {
    const { status, headers } = await get(url);
    const [, left] = /^"minute";r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
    return { status, left: Number(left) };
  };
  const page = await read(link.url);
  const bundle = await read(link.bundleUrl);
  t.equal(bundle.status, 200);
  t.equal(page.left - bundle.left, 3, 'one for the call, two for the headers');
  t.equal(bundle.left - (await read(link.badgeUrl)).left, 1, 'a badge needs no headers');
  const before = await read(link.url);
  await service.call('DELETE', `${links}/${link.id}`, { key });
  const withdrawn = await read(link.bundleUrl);
  t.strictSame(withdrawn, { status: 410, left: before.left - 1 }, 'the link is checked first');
});

test('an address is answered although the link cannot be opened yet', async (t) => {
  const { create, get, service } = await startSite(t);
  const {
    events: { db },
  } = service.services;
  const link = await db.transaction().execute(async (trx) => {
    const row = trx.selectFrom('checkpoints').selectAll().where('name', '=', 'links');
    await row.forUpdate().execute();
    return create();
  });
  t.match(link, { url: /\/shared\// }, 'an address is shown only once');
  await until('the link opens', async () => (await get(link.url)).status === 200);
});

test('only the owner with the scope shares a proof', async (t) => {
  const { service, key, links, create, organisationId } = await startSite(t);
  const link = await create();
  const { key: stranger } = await service.openOrganisation();
  const agent = await service.issueKey(organisationId, {
    scopes: ['documents:write', 'documents:read', 'certificates:read'],
    agent: true,
  });
  for (const [method, path] of [
    ['POST', links],
    ['GET', links],
    ['DELETE', `${links}/${link.id}`],
  ] as const) {
    const json = method === 'POST' ? {} : undefined;
    const options = json === undefined ? {} : { json };
    const other = await service.call(method, path, { key: stranger, ...options });
    t.match(other, { status: 404, body: { code: 'PROOF_NOT_FOUND' } }, method);
    const lacking = await service.call(method, path, { key: agent, ...options });
    t.match(lacking, { status: 403, body: { code: 'SCOPE_NOT_PERMITTED' } }, method);
  }
  const past = await service.call('POST', links, {
    key,
    json: { expiresAt: '2020-01-01T00:00:00Z' },
  });
  t.match(past, { status: 400, body: { code: 'INVALID_REQUEST' } });
  for (const json of [{ showFileName: 'yes' }, { expiresAt: 5 }, { expiresAt: 'soon' }]) {
    t.match(await service.call('POST', links, { key, json }), { status: 400 });
  }
  const all = await Promise.all(
    Array.from({ length: 25 }, () => service.call('POST', links, { key, json: {} })),
  );
  t.equal(all.filter(({ status }) => status === 201).length, 19, 'the limit holds under a race');
  t.match(all.find(({ status }) => status !== 201)?.body, { code: 'LINK_LIMIT_REACHED' });
});
