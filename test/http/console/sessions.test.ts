import pg from 'pg';
import { test } from 'tap';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { registerPerson } from '../../../src/commands/register-person.ts';
import { parseInvitation } from '../../../src/domain/person/invitation-token.ts';
import { consoleSite } from '../../../src/http/console/console-site.ts';
import { startSession } from '../../../src/http/console/sessions.ts';
import { signedIn } from '../../support/console-person.ts';
import { openTestStore, testDeps } from '../../support/event-store.ts';
import { joinHttpService, operator } from '../../support/http-service.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { oidcBrowser } from '../../support/oidc-browser.ts';
import { until } from '../../support/until.ts';

test('a sign-in under way while the person recovers leads to no session', async (t) => {
  const provider = await startIdentityProvider(t);
  const { identityProvider } = provider;
  const service = await joinHttpService(t, { services: { site: { identityProvider } } });
  const site = consoleSite(service.url);
  provider.register(`${site.url}/console/oidc/return`);
  const { organisationId } = await service.openOrganisation();
  const deps = { ...testDeps, store: service.store, now: () => new Date() };
  const email = 'ada@example.org';
  const invite = () => invitePerson(deps, { organisationId, email, role: 'owner' }, operator);
  await invite();
  provider.signInAs('ada', { email, email_verified: true });
  t.equal((await oidcBrowser(site).acceptOnly()).status, 200);

  const stolen = oidcBrowser(site);
  await stolen.begin();
  const address = await stolen.comeBack();
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('BEGIN; LOCK TABLE console_sessions IN SHARE MODE');
  const ending = stolen.open(address);
  // Within a transaction PostgreSQL shows the same activity again and again.
  const { pool } = openTestStore(t, service.databaseUrl);
  await until('the session is about to begin', async () => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE '%console_sessions%'`;
    return (await pool.query(waiting)).rowCount === 1;
  });
  const parsed = parseInvitation((await invite()).invitation);
  if (parsed === null) throw new Error('the invitation cannot be read');
  const passkey = { credentialId: 'new', publicKey: 'none', transports: [] };
  await registerPerson(deps, { ...parsed, name: 'Ada', passkey }, operator);
  await client.query('COMMIT');
  const { session } = await ending;
  t.ok(session);
  t.match((await stolen.get('/console/keys', session)).text, /id="sign-in"/);
});

test('a session holds for one registration of the person', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const former = await signedIn(service, organisationId);
  const { personId, site } = former;
  const pageOf = async (registration: number) => {
    const { events, sources } = service.services;
    const session = { organisationId, personId, registration };
    const token = await startSession({ ...events, ...sources }, session);
    const headers = { cookie: `${site.cookie}=${token}` };
    return (await fetch(`${site.url}/console/keys`, { headers })).text();
  };
  t.match(await pageOf(1), /Sign out/);
  const present = await signedIn(service, organisationId);
  t.equal(present.personId, personId);
  t.match((await former.get('/console/keys')).text, /id="sign-in"/);
  t.match(await pageOf(1), /id="sign-in"/);
  t.match(await pageOf(2), /Sign out/);
  t.match((await present.get('/console/keys')).text, /Sign out/);
});

test('a session that an earlier build began has ended', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const person = await signedIn(service, organisationId);
  t.match((await person.get('/console/keys')).text, /Sign out/);
  const { pool } = openTestStore(t, service.databaseUrl);
  const earlier = 'UPDATE console_sessions SET registration = NULL WHERE organisation_id = $1';
  await pool.query(earlier, [organisationId]);
  t.match((await person.get('/console/keys')).text, /id="sign-in"/);
});

test('made-up sessions cost few statements, however many requests name one', async (t) => {
  const service = await joinHttpService(t);
  const { url, cookie } = consoleSite(service.url);
  const queries = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query);
  const open = async (n: number) => {
    const token = Buffer.alloc(32, n).toString('base64url');
    const answer = await fetch(`${url}/console`, { headers: { cookie: `${cookie}=${token}` } });
    return answer.status;
  };
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => open(n)));
  t.strictSame([...new Set(answers)], [200]);
  const looks = queries().filter(({ args }) => textOf(args[0]).includes('console_sessions'));
  t.ok(looks.length > 0 && looks.length < 60, `${looks.length} statements`);
});

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string })?.text ?? '');
}
