import { test } from 'tap';
import type { ConsoleRoute } from '../../../src/http/console/console-route.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { formToken } from '../../../src/http/console/sessions.ts';
import { signedIn } from '../../support/console-person.ts';
import { openTestStore } from '../../support/event-store.ts';
import { startHttpService } from '../../support/http-service.ts';

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const routes: readonly ConsoleRoute[] = consoleRoutes;
const address = ({ path }: ConsoleRoute) => path.replace(/:\w+/g, unknown);

test('every route of the console has its guards', async (t) => {
  const service = await startHttpService(t, { services: { addressRequestsPerMinute: 100_000 } });
  const { organisationId } = await service.openOrganisation();
  // A person may send 300 requests a minute.
  const owners = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      signedIn(service, organisationId, { email: `o${at}@example.org` }),
    ),
  );
  const member = await signedIn(service, organisationId, {
    role: 'member',
    email: 'm@example.org',
  });
  const before = await service.store.lastPositionOf(organisationId);
  const { site } = member;
  const send = (route: ConsoleRoute, headers: Record<string, string>, token: string) => {
    const isForm = route.kind === 'form';
    const body = isForm ? new URLSearchParams({ token }).toString() : '{}';
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const own = { 'content-type': type, 'x-console-token': token, accept: 'text/html' };
    const init = { method: 'POST', headers: { ...own, ...headers }, body };
    return fetch(`${site.url}${address(route)}`, { ...init, redirect: 'manual' });
  };

  for (const [at, route] of routes.entries()) {
    const { cookie, formToken: own } = owners[at % owners.length] ?? member;
    const name = `${route.kind} ${route.path}`;
    if (route.kind === 'open' || route.kind === 'view') {
      const answer = await fetch(`${site.url}${address(route)}`, { redirect: 'manual' });
      await answer.text();
      const policy = answer.headers.get('content-security-policy') ?? '';
      t.match(policy, /frame-ancestors 'none'/, `${name} cannot be framed`);
      t.match(policy, /default-src 'none'.*script-src 'self'.*form-action 'self'/, name);
      t.equal(answer.headers.get('cache-control'), 'no-store', name);
      t.equal(answer.headers.get('access-control-allow-origin'), null, name);
      if (route.kind === 'open') continue;
      const asked = await fetch(`${site.url}${address(route)}`);
      t.match(await asked.text(), /id="sign-in"/, `${name} asks to sign in`);
      t.equal(asked.status, 401, `${name} gives nothing that a browser saves as a download`);
      if (route.role === 'owner') {
        t.equal((await member.get(address(route))).status, 403, `${name} is for owners`);
      }
      continue;
    }
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: site.origin, 'sec-fetch-site': 'cross-site' },
      { origin: site.origin, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await send(route, { ...headers, cookie }, own);
      await answer.text();
      t.equal(answer.status, 400, `${name} ${JSON.stringify(headers)}`);
    }
    if (route.kind === 'call') continue;
    const { origin } = site;
    const outside = await send(route, { origin }, own);
    t.match(await outside.text(), route.kind === 'form' ? /id="sign-in"/ : /has ended/, name);
    t.equal(outside.status, 401, `${name} needs a session`);
    for (const token of ['', formToken('a'.repeat(43)), member.formToken]) {
      const answer = await send(route, { origin, cookie }, token);
      await answer.text();
      t.ok(
        route.kind === 'order'
          ? answer.status === 401
          : answer.status < 500 && answer.status !== 201,
        `${name} does nothing without the session's token`,
      );
    }
    if (route.role === 'owner') {
      const answer = await send(route, { origin, cookie: member.cookie }, member.formToken);
      await answer.text();
      t.equal(answer.status, 403, `${name} is for owners`);
    }
  }
  t.equal(await service.store.lastPositionOf(organisationId), before, 'nothing has changed');
});

test('a stolen database signs nobody in', async (t) => {
  const service = await startHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const person = await signedIn(service, organisationId);
  const { pool } = openTestStore(t, service.databaseUrl);
  const { rows } = await pool.query<{ token_hash: string }>('SELECT * FROM console_sessions');
  t.equal(rows.length, 1);
  t.notOk(JSON.stringify(rows).includes(person.token), 'the token itself is not stored');
  const [hash = ''] = rows.map((row) => row.token_hash);
  const { site } = person;
  for (const stolen of [hash, hash.slice(0, 43), Buffer.from(hash, 'hex').toString('base64url')]) {
    const headers = { cookie: `${site.cookie}=${stolen}` };
    const text = await (await fetch(`${site.url}/console/keys`, { headers })).text();
    t.match(text, /id="sign-in"/);
  }
  await pool.query("UPDATE console_sessions SET expires_at = now() - interval '1 second'");
  t.match((await person.get('/console/keys')).text, /id="sign-in"/, 'an ended session is over');
});
