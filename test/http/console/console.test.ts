import { test } from 'tap';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { KeyId } from '../../../src/domain/ulid.ts';
import { consoleSite } from '../../../src/http/console/console-site.ts';
import { sessionCookie } from '../../../src/http/console/session-cookie.ts';
import { signedIn } from '../../support/console-person.ts';
import { operator, startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';

const operatorsChoice = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const keyOf = (text: string) => /svc_live_\w{32}/.exec(text)?.[0];

test('the console of account owners', async (t) => {
  let now = new Date();
  const service = await startHttpService(t, {
    services: { sources: { now: () => now }, limits: { addressRequestsPerMinute: 100_000 } },
  });
  const { organisationId, key, workspaceId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const member = await signedIn(service, organisationId, {
    role: 'member',
    email: 'm@example.org',
  });
  const other = await service.openOrganisation();
  const stranger = await signedIn(service, other.organisationId, { email: 'x@example.org' });
  const keysOf = async () => {
    const { body } = await service.call('GET', '/api-keys?limit=100', { key });
    return body.data as {
      id: KeyId;
      name: string | null;
      status: string;
      issuedBy: string | null;
    }[];
  };
  const order = { name: 'Made by hand', scopes: 'workspaces:read' };
  const newOnce = async () =>
    /name="once" value="([^"]+)"/.exec((await owner.get('/console/keys/new')).text)?.[1] ?? '';
  const newOrder = async () => ({ ...order, once: await newOnce() });

  await t.test('a created key works, and its event names the person', async (t) => {
    const { status, text } = await owner.post('/console/keys', {
      ...(await newOrder()),
      requestsPerMinute: '5',
    });
    t.equal(status, 201);
    const made = keyOf(text) ?? '';
    t.equal((await service.call('GET', '/workspaces', { key: made })).status, 200);
    const shown = (await keysOf()).find(({ name }) => name === order.name);
    t.match(shown, { status: 'valid', issuedBy: null });
    t.notOk(JSON.stringify(shown).includes(owner.personId), 'the API names no person');
    const [event] = await service.store.readStream(streams.key(shown?.id ?? ('' as KeyId)));
    t.match(event?.meta, { actor: 'console', personId: owner.personId });
    const list = await owner.get('/console/keys');
    t.notOk(list.text.includes(made), 'it is shown once');
    t.match(list.text, /by ada@example\.org/);
  });

  await t.test('a key has at most the limits of the organisation', async (t) => {
    const { status, text } = await owner.post('/console/keys', {
      ...(await newOrder()),
      requestsPerMinute: '1000001',
    });
    t.equal(status, 400);
    t.match(text, /at most 1000000, the limit of keys of the organisation/);
    t.match(text, /value="Made by hand"/, 'what was typed stays');
    t.match(text, /value="1000001"/);
  });

  await t.test('a day of the past or of another form is named as the form names it', async (t) => {
    for (const [expires, words] of [
      ['2001-01-01', 'Last day: must be in the future'],
      ['2030-02-31', 'Last day: must be a day, such as 2030-01-31'],
    ] as const) {
      const answer = await owner.post('/console/keys', { ...(await newOrder()), expires });
      t.match(answer, { status: 400, text: words });
      t.match(answer.text, `value="${expires}"`, 'what was typed stays');
    }
  });

  await t.test('a form that is sent twice creates one key', async (t) => {
    const before = (await keysOf()).length;
    const twice = { ...(await newOrder()), name: 'Twice' };
    const answers = await Promise.all([1, 2].map(() => owner.post('/console/keys', twice)));
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 409]);
    const reloaded = await owner.post('/console/keys', { ...twice, name: 'Thrice' });
    t.match(reloaded.text, /created before/);
    t.notOk(keyOf(reloaded.text));
    t.equal((await keysOf()).length, before + 1);
    const forged = `${operatorsChoice}.${twice.once.split('.')[1]}`;
    const ofAnother = await signedIn(service, organisationId, { email: 'o2@example.org' });
    for (const [whom, once] of [
      [owner, ''],
      [owner, forged],
      [ofAnother, await newOnce()],
    ] as const) {
      const { status, text } = await whom.post('/console/keys', { ...order, once });
      t.equal(status, 400);
      t.match(text, /Nothing was created yet/);
      t.match(text, /value="Made by hand"/, 'what was typed stays');
    }
    t.equal((await keysOf()).length, before + 1);
  });

  await t.test('a form from elsewhere, or without the token, changes nothing', async (t) => {
    const before = (await keysOf()).length;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: service.url },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      t.equal(
        (await owner.post('/console/keys', await newOrder(), headers)).status,
        400,
        JSON.stringify(headers),
      );
    }
    const { text } = await owner.post('/console/keys', {
      ...(await newOrder()),
      token: stranger.formToken,
    });
    t.match(text, /Nothing was changed yet/);
    t.notOk(keyOf(text));
    t.equal((await keysOf()).length, before);
  });

  await t.test('a revoked key is refused at once', async (t) => {
    const short = { ...(await newOrder()), name: 'Short' };
    const made = keyOf((await owner.post('/console/keys', short)).text) ?? '';
    const id = (await keysOf()).find(({ name }) => name === 'Short')?.id;
    t.match((await owner.get(`/console/keys/${id}/revoke`)).text, /cannot\s+be undone/);
    const { status, headers } = await owner.post(`/console/keys/${id}/revoke`);
    t.equal(status, 303);
    t.equal(headers.get('location'), '../../../console/keys');
    t.equal((await service.call('GET', '/workspaces', { key: made })).status, 401);
  });

  await t.test('nothing of another organisation can be read or changed by its id', async (t) => {
    const [first] = await keysOf();
    for (const path of [
      `/console/keys/${first?.id}/revoke`,
      `/console/people/${owner.personId}/remove`,
    ]) {
      t.equal((await stranger.get(path)).status, 404, path);
      t.equal((await stranger.post(path)).status, 404, path);
    }
    for (const path of ['role', 'invite'].map(
      (last) => `/console/people/${owner.personId}/${last}`,
    )) {
      t.equal((await stranger.post(path, { role: 'member' })).status, 404, path);
    }
    for (const path of ['/console/keys', '/console/people']) {
      const { text } = await stranger.get(path);
      t.notMatch(text, /ada@example\.org|Made by hand/, path);
    }
    t.equal((await owner.get('/console/people')).status, 200);
  });

  await t.test('a member reads, and changes nothing', async (t) => {
    const [first] = await keysOf();
    t.equal((await member.get('/console/keys')).status, 200);
    t.notMatch((await member.get('/console/keys')).text, /Revoke|New API key/);
    for (const path of ['/console/keys/new', `/console/keys/${first?.id}/revoke`]) {
      t.equal((await member.get(path)).status, 403, path);
    }
    for (const path of [
      ...['/console/keys', `/console/keys/${first?.id}/revoke`, '/console/people'],
      ...['role', 'invite', 'remove'].map((last) => `/console/people/${owner.personId}/${last}`),
    ]) {
      t.equal((await member.post(path, { ...order, email: 'y@example.org' })).status, 403, path);
    }
  });

  await t.test('a workspace is created by an owner, with a name that is one', async (t) => {
    t.equal((await member.post('/console/workspaces', { name: 'M' })).status, 403);
    const once = await owner.onceOn('/console/workspaces');
    const refused = await owner.post('/console/workspaces', { once, name: 'x'.repeat(256) });
    t.equal(refused.status, 400);
    t.match(refused.text, 'x'.repeat(256), 'what was typed stays');
    t.equal((await owner.post('/console/workspaces', { once, name: 'Own "one"' })).status, 303);
    const { body } = await service.call('GET', '/workspaces', { key });
    t.ok(body.data.some(({ name }: { name: string }) => name === 'Own "one"'));
    t.match((await member.get('/console/workspaces')).text, 'Own &quot;one&quot;');
    t.notMatch((await stranger.get('/console/workspaces')).text, 'Own &quot;');
    const events = await service.store.readLog(0, 1_000, ['WorkspaceCreated']);
    t.match(events.at(-1)?.meta, { actor: 'console', personId: owner.personId });
  });

  await t.test('an owner renames a workspace, whose id stays', async (t) => {
    const once = await owner.onceOn('/console/workspaces');
    await owner.post('/console/workspaces', { once, name: 'Before' });
    const found = async () => (await service.call('GET', '/workspaces', { key })).body.data;
    const { _id: id } = (await found()).find(({ name }: { name: string }) => name === 'Before');
    const path = `/console/workspaces/${id}/rename`;
    const seen = async () =>
      /name="seen" value="(\d+)"/.exec((await owner.get(path)).text)?.[1] ?? '';
    t.match((await owner.get(path)).text, 'value="Before"');
    const before = await seen();
    t.equal((await member.post(path, { name: 'M' })).status, 403);
    const refused = await owner.post(path, { name: 'x'.repeat(256) });
    t.equal(refused.status, 400);
    t.match(refused.text, 'x'.repeat(256), 'what was typed stays');
    t.equal((await owner.post(path, { name: ' After ', seen: before })).status, 303);
    t.match(await found(), [{}, {}, { _id: id, name: 'After' }]);
    const [, renamed, ...more] = await service.store.readStream(streams.workspace(id));
    t.match(renamed, { type: 'WorkspaceRenamed', meta: { personId: owner.personId } });
    t.equal((await owner.post(path, { name: 'After', seen: await seen() })).status, 303);
    t.strictSame(more, [], 'the same name is no event');
    const late = await owner.post(path, { name: 'Late', seen: before });
    t.match(late, { status: 409, text: 'Somebody changed this while you had the form open' });
    t.match(
      await found(),
      [{}, {}, { _id: id, name: 'After' }],
      'the change that was not seen stays',
    );
  });

  await t.test('usage counts the calls of all keys, and the uploads of the month', async (t) => {
    await service.allow(organisationId, 7);
    const { text } = await member.get('/console/usage');
    t.match(text, /Requests in this day<\/h2>\s*<p data-live="day">[1-9]\d* of 10,000,000</);
    t.match(text, /<p data-live="uploads">0 of 7</);
    const elsewhere = await stranger.get('/console/usage');
    t.match(elsewhere.text, /Requests in this day<\/h2>\s*<p data-live="day">0 of 10,000,000</);
  });

  await t.test('proofs are counted by day, for their own organisation alone', async (t) => {
    t.match((await member.get('/console/usage')).text, /No proof was anchored in the last 30 days/);
    const { store, services } = service;
    (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
    for (const _ of [1, 2]) {
      const json = { hash: randomDigest(), workspace: workspaceId };
      t.equal((await service.call('POST', '/proofs', { key, json })).status, 201);
    }
    const { text } = await member.get('/console/usage');
    t.match(text, '2 proofs in 30 days, at most 2 in one day');
    const today = now.toISOString().slice(0, 10);
    t.match(text, `<title>${today}: 2</title>`);
    t.match(text, `<th scope="row">${today}</th><td>2</td>`);
    t.equal(text.match(/<rect /g)?.length, 30);
    t.match((await stranger.get('/console/usage')).text, /No proof was anchored/);
  });

  await t.test('answers can be neither framed nor kept nor read elsewhere', async (t) => {
    for (const { headers } of [
      await owner.get('/console/keys'),
      await owner.post('/console/keys', await newOrder()),
    ]) {
      t.match(headers.get('content-security-policy'), /frame-ancestors 'none'/);
      t.match(headers.get('content-security-policy'), /script-src 'self';/);
      t.equal(headers.get('cache-control'), 'no-store');
      t.equal(headers.get('access-control-allow-origin'), null);
    }
  });

  await t.test('a session ends by signing out, everywhere, and after 12 hours', async (t) => {
    const one = await signedIn(service, organisationId, { email: 'b1@example.org' });
    t.equal(
      (await one.post('/console/sign-out')).headers.get('set-cookie')?.split(';')[0],
      'console=',
    );
    t.match((await one.get('/console/keys')).text, /Sign in with a passkey/);
    const many = await signedIn(service, organisationId, { email: 'b2@example.org' });
    t.equal((await many.post('/console/sign-out-everywhere')).status, 303);
    t.match((await many.get('/console/keys')).text, /Sign in with a passkey/);
    t.match((await owner.get('/console/keys')).text, /Sign out/, 'sessions of others stay');
    const started = now;
    const late = await signedIn(service, organisationId, { email: 'b3@example.org' });
    now = new Date(started.getTime() + 12 * 3_600_000 - 1);
    t.match((await late.get('/console/keys')).text, /Sign out/);
    now = new Date(started.getTime() + 12 * 3_600_000 + 1);
    t.match((await late.get('/console/keys')).text, /Sign in with a passkey/);
    now = started;
  });

  await t.test('a removed person is signed out, and a member by role at once', async (t) => {
    const gone = await signedIn(service, organisationId, { email: 'gone@example.org' });
    t.equal((await gone.get('/console/keys/new')).status, 200);
    await owner.post(`/console/people/${gone.personId}/role`, { role: 'member' });
    t.equal((await gone.get('/console/keys/new')).status, 403);
    await owner.post(`/console/people/${gone.personId}/remove`);
    t.match((await gone.get('/console/keys')).text, /Sign in with a passkey/);
  });

  await t.test('a form whose session has ended comes back with all that was typed', async (t) => {
    const gone = await signedIn(service, organisationId, { email: 'late@example.org' });
    await gone.post('/console/sign-out');
    const typed = { name: 'A "quoted" <name>', scopes: 'documents:read' };
    const { status, text } = await gone.post('/console/keys', typed);
    t.equal(status, 401);
    t.match(text, 'name="name" value="A &quot;quoted&quot; &lt;name>"');
    const again = await owner.post('/console/keys', { ...typed, again: '1' });
    t.match(again.text, 'value="A &quot;quoted&quot; &lt;name>"');
    t.notOk(keyOf(again.text), 'nothing is done before it is sent again');
  });

  await t.test(
    'calls of open pages need the origin, JSON, and an invitation that holds',
    async (t) => {
      const call = (headers: Record<string, string>, body = '{}') =>
        fetch(`${owner.site.url}/console/join/options`, { method: 'POST', headers, body });
      const { origin } = owner.site;
      const json = { 'content-type': 'application/json' };
      t.equal((await call(json)).status, 400);
      t.equal((await call({ origin, 'content-type': 'text/plain' })).status, 415);
      t.equal((await call({ ...json, origin })).status, 403);
      t.equal((await call({ ...json, origin }, '{"invitation":7}')).status, 403);
      t.equal((await call({ ...json, origin }, `"${'x'.repeat(70_000)}"`)).status, 413);
    },
  );

  await t.test('an address that tries passkeys is limited', async (t) => {
    const strict = await startHttpService(t, {
      services: { limits: { addressRequestsPerMinute: 5 } },
    });
    const { url, origin } = consoleSite(strict.url);
    const headers = { origin, 'content-type': 'application/json' };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const answer = await fetch(`${url}/console/sign-in`, { method: 'POST', headers, body: '{}' });
      statuses.push(answer.status);
    }
    t.strictSame(statuses, [403, 403, 403, 403, 403, 429]);
  });

  await t.test('failed attempts are limited by address, also with a session', async (t) => {
    const strict = await startHttpService(t, {
      services: { limits: { addressRequestsPerMinute: 5 } },
    });
    const opened = await strict.openOrganisation();
    // Calls with a session do not count as those of an address.
    const { order } = await signedIn(strict, opened.organisationId);
    const statuses = async (...paths: readonly string[]) => {
      const found: number[] = [];
      for (const path of paths) found.push((await order(`/console/${path}`, {})).status);
      return found;
    };
    const paths = ['sign-in', 'join/options', 'join'];
    t.strictSame(await statuses(...paths, 'sign-in', 'join'), [403, 403, 403, 403, 403]);
    t.strictSame(await statuses(...paths), [429, 429, 429], 'each failure counts');
  });

  await t.test('a suspended organisation can look and sign out only', async (t) => {
    const held = await service.openOrganisation();
    const person = await signedIn(service, held.organisationId);
    await suspendOrganisation(service.store, held.organisationId, operator);
    t.match((await person.get('/console/keys')).text, /suspended/);
    t.equal((await person.post('/console/keys', order)).status, 403);
    for (const what of ['file', 'certificate', 'bundle']) {
      const path = `/console/documents/${held.workspaceId}/${what}`;
      const { status, text } = await person.get(path);
      t.equal(status, 403, what);
      t.match(text, 'organisation is suspended', what);
    }
    t.equal((await person.post('/console/sign-out')).status, 303);
  });
});

test('cookies are bound to the host on TLS, and the console needs TLS or this machine', async (t) => {
  const token = 'a'.repeat(43);
  t.equal(
    sessionCookie(token, consoleSite('https://proofs.example/below'), 9),
    `__Host-console=${token}; Path=/; Max-Age=9; HttpOnly; SameSite=Strict; Secure`,
  );
  t.notMatch(sessionCookie(token, consoleSite('http://127.0.0.1:80'), 9), /Secure/);
  t.match(consoleSite('http://127.0.0.1:3000'), {
    rpId: 'localhost',
    origin: 'http://localhost:3000',
  });
  const service = await startHttpService(t, {
    services: { site: { publicUrl: () => 'http://proofs.example' } },
  });
  const answer = await fetch(`${service.url}/console`);
  t.equal(answer.status, 403);
  t.match(await answer.text(), /needs HTTPS/);
  const local = await startHttpService(t);
  const moved = await fetch(`${local.url}/console/join`, { redirect: 'manual' });
  t.equal(moved.headers.get('location'), `http://localhost:${local.port}/console/join`);
});
