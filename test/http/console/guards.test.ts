import { test } from 'tap';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { hashToken } from '../../../src/domain/person/invitation-token.ts';
import type { ConsoleRoute } from '../../../src/http/console/console-route.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { formToken } from '../../../src/http/console/sessions.ts';
import { signedIn } from '../../support/console-person.ts';
import { dumpDatabase, formsOf } from '../../support/dump-database.ts';
import { openTestStore, testDeps } from '../../support/event-store.ts';
import { startHttpService } from '../../support/http-service.ts';

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const routes: readonly ConsoleRoute[] = consoleRoutes;
const address = ({ path }: ConsoleRoute) => path.replace(/:\w+/g, unknown);

test('every route of the console has its guards', async (t) => {
  const service = await startHttpService(t, {
    services: { limits: { addressRequestsPerMinute: 100_000 } },
  });
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
  const { site } = person;
  const deps = { ...testDeps, store: service.store };
  const order = { organisationId, role: 'owner', email: 'next@example.org' } as const;
  const { invitation } = await invitePerson(deps, order, { actor: 'operator' });
  const { pool } = openTestStore(t, service.databaseUrl);
  const dump = await dumpDatabase(pool);
  for (const [what, token] of [
    ['session', person.token],
    ['invitation', invitation.split('.')[1] ?? ''],
  ] as const) {
    t.match(token, /^[\w-]{43}$/);
    for (const form of formsOf(token)) {
      t.notOk(dump.includes(form), `the token of the ${what} is not stored`);
    }
  }
  t.ok(dump.includes(hashToken(person.token)), 'a session is known by its hash');
  // Of an invitation the hash too is encrypted; it might come with the master key.
  const usesOf = (hash: string) => [
    hash,
    hash.slice(0, 43),
    Buffer.from(hash, 'hex').toString('base64url'),
  ];

  for (const stolen of usesOf(hashToken(person.token))) {
    const headers = { cookie: `${site.cookie}=${stolen}` };
    const text = await (await fetch(`${site.url}/console/keys`, { headers })).text();
    t.match(text, /id="sign-in"/);
  }
  const accept = async (given: string) => {
    const response = await fetch(`${site.url}/console/join/options`, {
      method: 'POST',
      headers: { origin: site.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ invitation: given }),
    });
    await response.text();
    return response.status;
  };
  for (const stolen of usesOf(hashToken(invitation.split('.')[1] ?? ''))) {
    t.equal(await accept(`${organisationId}.${stolen}`), 403);
  }
  t.equal(await accept(invitation), 200, 'the invitation itself holds');

  await pool.query("UPDATE console_sessions SET expires_at = now() - interval '1 second'");
  t.match((await person.get('/console/keys')).text, /id="sign-in"/, 'an ended session is over');
});
