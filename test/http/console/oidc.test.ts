import { test } from 'tap';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import { indexedAddress } from '../../../src/domain/person/email.ts';
import type { PersonEvent } from '../../../src/domain/person/events.ts';
import { indexedIdentity, presentPeople } from '../../../src/domain/person/state.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { consoleSite } from '../../../src/http/console/console-site.ts';
import { createOpenIdProvider } from '../../../src/identity/openid-provider.ts';
import { loadPeople } from '../../../src/loading/load-people.ts';
import { signedIn } from '../../support/console-person.ts';
import { openTestStore, testDeps } from '../../support/event-store.ts';
import { operator, startHttpService } from '../../support/http-service.ts';
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts';
import { choiceOn, oidcBrowser } from '../../support/oidc-browser.ts';

const verified = (email: string, name = 'Ada Lovelace') => ({ email, email_verified: true, name });

test('people sign in by the provider of the operator', async (t) => {
  const provider = await startIdentityProvider(t);
  const { identityProvider } = provider;
  let now = new Date();
  const service = await startHttpService(t, {
    services: {
      site: { identityProvider },
      sources: { now: () => now },
      limits: { addressRequestsPerMinute: 100_000 },
    },
  });
  const site = consoleSite(service.url);
  provider.register(`${site.url}/console/oidc/return`);
  const { organisationId } = await service.openOrganisation();
  const deps = { ...testDeps, store: service.store, now: () => now };
  const invite = async (to: OrganisationId, email: string) => {
    const order = { organisationId: to, email, role: 'member' } as const;
    return (await invitePerson(deps, order, operator)).invitation;
  };
  const personOf = async (email: string, of = organisationId) =>
    presentPeople(await loadPeople(service.store, of)).find((each) => each.email === email);

  await t.test('an invited person is asked, joins, and is named by the event', async (t) => {
    await invite(organisationId, 'Ada@example.org');
    provider.signInAs('ada', verified('ada@EXAMPLE.org'));
    const browser = oidcBrowser(site);
    const asked = await browser.signIn();
    t.equal(asked.status, 200, asked.text);
    t.equal(asked.session, null, 'nothing is accepted yet');
    t.match(asked.text, /Ada@example.org is invited as member/);
    t.match(asked.text, /You are invited to \w+/);
    t.match(asked.headers.get('content-security-policy'), /form-action 'self';/);
    t.match(await personOf('Ada@example.org'), { registeredAt: null, identity: null });
    const foreign = { origin: 'https://evil.example' };
    t.equal((await browser.choose(choiceOn(asked.text), foreign)).status, 400, 'another origin');
    t.match(await personOf('Ada@example.org'), { registeredAt: null, identity: null });
    const { status, session, text, headers } = await browser.choose(choiceOn(asked.text));
    t.equal(status, 200, text);
    t.match(headers.get('set-cookie'), /SameSite=Strict/);
    t.match((await browser.get('/console/keys', session)).text, /Ada Lovelace \(member\)/);
    const identity = { issuer: provider.issuer, subject: 'ada' };
    t.match(await personOf('Ada@example.org'), { identity, name: 'Ada Lovelace', passkey: null });
    const [event] = (await service.store.readStream(streams.people(organisationId))).slice(-1);
    const { personId } = (await personOf('Ada@example.org')) ?? {};
    t.match(event, { type: 'PersonIdentified', meta: { actor: 'console', personId } });
    const before = await service.store.lastPositionOf(organisationId);
    t.equal((await oidcBrowser(site).signIn()).status, 200, 'again, in another browser');
    t.equal(await service.store.lastPositionOf(organisationId), before, 'bound once');
  });

  await t.test('another subject with the same address never takes the person over', async (t) => {
    provider.signInAs('mallory', verified('ada@example.org'));
    const { status, text, session } = await oidcBrowser(site).signIn();
    t.equal(status, 403);
    t.equal(session, null);
    t.match(text, /or with another account of the provider/);
    t.match(await personOf('Ada@example.org'), { identity: { subject: 'ada' } });
  });

  await t.test('the subject counts once it is bound, also with another address', async (t) => {
    provider.signInAs('ada', verified('ada.married@example.org'));
    t.equal((await oidcBrowser(site).signIn()).status, 200);
    provider.signInAs('ada', {});
    t.equal((await oidcBrowser(site).signIn()).status, 200, 'without an address');
  });

  await t.test('an address must be verified, and of somebody invited or present', async (t) => {
    await invite(organisationId, 'new@example.org');
    provider.signInAs('n', { email: 'new@example.org', email_verified: false });
    t.match(await oidcBrowser(site).signIn(), { status: 403, text: /confirms no e-mail address/ });
    provider.signInAs('n', { email: 'new@example.org' });
    t.equal((await oidcBrowser(site).signIn()).status, 403);
    provider.signInAs('n', verified('nobody@example.org'));
    t.match(await oidcBrowser(site).signIn(), {
      status: 403,
      text: /nobody@example.org is invited/,
    });
    const later = now;
    now = new Date(now.getTime() + 86_400_001);
    provider.signInAs('n', verified('new@example.org'));
    t.equal((await oidcBrowser(site).signIn()).status, 403, 'the invitation has ended');
    now = later;
    t.equal((await oidcBrowser(site).acceptOnly()).status, 200);
    const { personId = '' } = (await personOf('new@example.org')) ?? {};
    const owner = await signedIn(service, organisationId, { email: 'boss@example.org' });
    t.equal((await owner.post(`/console/people/${personId}/remove`)).status, 303);
    t.equal((await oidcBrowser(site).signIn()).status, 403, 'removed');
  });

  await t.test('an account with the address of a passkey person is not bound', async (t) => {
    const passkeyed = await signedIn(service, organisationId, { email: 'key@example.org' });
    provider.signInAs('keyed', verified('key@example.org', 'Somebody Else'));
    const refused = { status: 403, session: null, text: /signs in here with a passkey/ };
    t.match(await oidcBrowser(site).signIn(), refused);
    const invitation = await invite(organisationId, 'key@example.org');
    t.match(await oidcBrowser(site).signIn(), refused, 'invited again, but without the link');
    t.match(await personOf('key@example.org'), { name: 'key@example.org', identity: null });
    t.ok((await personOf('key@example.org'))?.passkey);
    t.match((await passkeyed.get('/console/keys')).text, /Sign out/, 'the session stays');
    t.equal((await oidcBrowser(site).signIn(invitation)).status, 200, 'with the link');
    t.match(await personOf('key@example.org'), { passkey: null, identity: { subject: 'keyed' } });
  });

  await t.test('recovery by a passkey ends the account of the provider', async (t) => {
    await invite(organisationId, 'lost@example.org');
    provider.signInAs('lost', verified('lost@example.org'));
    const { session } = await oidcBrowser(site).acceptOnly();
    t.match((await oidcBrowser(site).get('/console/keys', session)).text, /Sign out/);
    await signedIn(service, organisationId, { email: 'lost@example.org' });
    t.match(await personOf('lost@example.org'), { identity: null });
    t.equal((await oidcBrowser(site).signIn()).status, 403, 'the former account');
    provider.signInAs('lost', {});
    t.equal((await oidcBrowser(site).signIn()).status, 403, 'also without an address');
  });

  await t.test('an account that an earlier build bound beside a passkey signs in', async (t) => {
    await signedIn(service, organisationId, { email: 'old@example.org' });
    const { personId } = (await personOf('old@example.org')) ?? {};
    const identity = { issuer: provider.issuer, subject: 'old' };
    const identityIndex = await service.store.serviceIndex(indexedIdentity(identity));
    const data = { personId, identity, identityIndex, name: null };
    const stream = streams.people(organisationId);
    const expectedVersion = await service.store.versionOf(stream);
    const events = [{ type: 'PersonIdentified', data } as PersonEvent];
    await service.store.append([{ organisationId, stream, expectedVersion, events }], operator);
    provider.signInAs('old', {});
    t.equal((await oidcBrowser(site).signIn()).status, 200);
    t.ok((await personOf('old@example.org'))?.passkey);
  });

  await t.test('addresses that only Unicode folds together are different', async (t) => {
    await invite(organisationId, 'kate@example.org');
    provider.signInAs('kelvin', verified('\u212aate@example.org'));
    t.match(await oidcBrowser(site).signIn(), { status: 403, text: /nobody with the address/i });
    t.match(await personOf('kate@example.org'), { registeredAt: null });
  });

  await t.test(
    'an invitation is accepted once, by its own address, and replaces all',
    async (t) => {
      const before = await signedIn(service, organisationId, { email: 'inv@example.org' });
      const invitation = await invite(organisationId, 'inv@example.org');
      provider.signInAs('wrong', verified('other@example.org'));
      t.match(await oidcBrowser(site).signIn(invitation), {
        status: 403,
        text: /does not confirm the e-mail address of the invitation/,
      });
      provider.signInAs('inv', verified('inv@example.org'));
      const [one, two] = [oidcBrowser(site), oidcBrowser(site)];
      await one.begin(invitation);
      await two.begin(invitation);
      const ends = [await one.finish(), await two.finish()];
      t.strictSame(ends.map(({ status }) => status).sort(), [200, 403]);
      t.match(await personOf('inv@example.org'), { passkey: null, identity: { subject: 'inv' } });
      t.match((await before.get('/console/keys')).text, /Sign in/, 'former sessions end');
      t.equal((await oidcBrowser(site).begin(invitation)).status, 403, 'it holds once');
      const renewed = await invite(organisationId, 'inv@example.org');
      provider.signInAs('inv-2', verified('inv@example.org'));
      t.equal((await oidcBrowser(site).signIn(renewed)).status, 200);
      t.match(await personOf('inv@example.org'), { identity: { subject: 'inv-2' } }, 'recovery');
      provider.signInAs('inv', verified('inv@example.org'));
      t.equal((await oidcBrowser(site).signIn()).status, 403, 'the former identity is replaced');
    },
  );

  await t.test('people of several organisations choose one', async (t) => {
    const other = await service.openOrganisation();
    await suspendOrganisation(service.store, other.organisationId, operator);
    await invite(organisationId, 'both@example.org');
    await invite(other.organisationId, 'both@example.org');
    provider.signInAs('both', verified('both@example.org'));
    const browser = oidcBrowser(site);
    const { status, session, text } = await browser.signIn();
    t.equal(status, 200);
    t.equal(session, null, 'no session before the choice');
    const read = (name: string) => new RegExp(`data-${name}="([^"]+)"`).exec(text)?.[1] ?? '';
    t.equal([...text.matchAll(/data-organisation="/g)].length, 2);
    const { personId = '' } = (await personOf('both@example.org', other.organisationId)) ?? {};
    const choice = { token: read('token'), statement: read('statement') };
    const whom = { organisationId: other.organisationId, personId };
    const forged = Buffer.from(
      JSON.stringify({ identity: { issuer: provider.issuer, subject: 'ada' }, email: null }),
    ).toString('base64url');
    t.equal((await browser.choose({ ...choice, statement: forged, ...whom })).status, 403);
    const ada = await personOf('Ada@example.org');
    const elsewhere = { organisationId, personId: ada?.personId ?? '' };
    const again = await browser.signIn();
    const refused = await browser.choose({ ...choiceOn(again.text), ...elsewhere });
    t.equal(refused.status, 403, 'nobody else can be chosen');
    const third = await browser.signIn();
    const chosen = await browser.choose({ ...choiceOn(third.text), ...whom });
    t.equal(chosen.status, 200);
    t.match((await browser.get('/console/keys', chosen.session)).text, /suspended/);
    t.equal((await browser.choose({ ...choiceOn(third.text), ...whom })).status, 403, 'once');
    t.not(choiceOn(third.text).statement, choice.statement, 'each statement has its salt');
    t.match(await personOf('both@example.org'), { identity: null }, 'the other one is not bound');
  });

  await t.test('a person is found among any number of others with the address', async (t) => {
    const email = 'popular@example.org';
    await invite(organisationId, email);
    const index = await service.store.serviceIndex(indexedAddress(email));
    // Earlier in every order than the true organisation.
    const others = `INSERT INTO sign_ins (organisation_id, person_id, address_index)
      SELECT to_char(n, 'FM00000000000000000000000000'), 'P', $1 FROM generate_series(1, 150) n`;
    const { pool } = openTestStore(t, service.databaseUrl);
    await pool.query(others, [index]);
    provider.signInAs('popular', verified(email));
    t.equal((await oidcBrowser(site).acceptOnly()).status, 200);
    t.equal((await oidcBrowser(site).signIn()).status, 200, 'by the identity');
  });

  await t.test('a sign-in belongs to its browser, and is used once', async (t) => {
    provider.signInAs('ada', verified('ada@example.org'));
    const [victim, attacker] = [oidcBrowser(site), oidcBrowser(site)];
    await attacker.begin();
    const address = await attacker.comeBack();
    t.equal((await victim.open(address)).status, 403, 'without the cookie');
    await victim.begin();
    t.equal((await victim.open(address)).status, 403, 'with the cookie of another sign-in');
    for (const query of ['?code=a', '?error=access_denied', '?state=', '?code=a&state=b', '']) {
      const { status } = await victim.open(`${site.url}/console/oidc/return${query}`);
      t.equal(status, 403, `a page of another site leads there: ${query}`);
    }
    t.equal((await victim.finish()).status, 200, 'the own sign-in still works');
    t.equal((await attacker.open(address)).status, 200);
    t.equal((await attacker.open(address)).status, 403, 'replayed');
    const late = oidcBrowser(site);
    await late.begin();
    const lateAddress = await late.comeBack();
    const before = now;
    now = new Date(now.getTime() + 900_001);
    t.equal((await late.open(lateAddress)).status, 403, 'after 15 minutes');
    now = before;
    const forms = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    t.equal((await fetch(`${site.url}/console/oidc/begin`, forms)).status, 400, 'no origin');
  });

  await t.test('a forged code or error never blames the provider', async (t) => {
    provider.signInAs('ada', verified('ada@example.org'));
    for (const [name, value] of [
      ['code', 'forged'],
      ['error', 'unauthorized_client'],
      ['error', 'server_error'],
    ] as const) {
      const browser = oidcBrowser(site);
      await browser.begin();
      const address = new URL(await browser.comeBack());
      address.searchParams.set(name, value);
      const { status, text } = await browser.open(address.href);
      t.equal(status, 403, value);
      t.match(text, 'did not sign you in, and nothing was changed');
    }
    const lines = service.log.map((line) => JSON.parse(line));
    const told = lines.filter(({ msg }) => /came back from the identity provider/.test(msg));
    t.strictSame(
      told.map(({ level, code }) => [level, code]),
      ['invalid_grant', 'unauthorized_client', 'server_error'].map((code) => [30, code]),
    );
    t.notMatch(service.log.join(''), /refuses the service/);
  });

  await t.test('who declines is told so, and no log line has a secret', async (t) => {
    provider.signInAs('');
    t.match(await oidcBrowser(site).signIn(), { status: 403, text: /nothing was changed/ });
    t.match(service.log.join(''), /access_denied/);
    for (const secret of [clientSecret, 'code=', 'ada@example.org', 'state=']) {
      t.notMatch(service.log.join(''), secret);
    }
  });
});

test('a provider that refuses the secret of the service is named as the cause', async (t) => {
  const provider = await startIdentityProvider(t);
  const options = { issuer: provider.issuer, clientId, clientSecret: 'another', name: 'P' };
  const identityProvider = createOpenIdProvider(options);
  const service = await startHttpService(t, { services: { site: { identityProvider } } });
  const site = consoleSite(service.url);
  provider.register(`${site.url}/console/oidc/return`);
  provider.signInAs('ada', verified('ada@example.org'));
  t.match(await oidcBrowser(site).signIn(), { status: 502, text: /refuses this service/ });
  t.match(service.log.join(''), /"code":"invalid_client".*identity provider refuses the service/);
});

test('a provider that is away is told to people and in the log', async (t) => {
  const provider = await startIdentityProvider(t);
  const { identityProvider } = provider;
  const service = await startHttpService(t, { services: { site: { identityProvider } } });
  const { status } = await oidcBrowser(consoleSite(service.url)).begin();
  t.equal(status, 502);
  t.match(service.log.join(''), /identity provider does not answer/);
});

test('without a provider nothing offers it', async (t) => {
  const service = await startHttpService(t);
  const site = consoleSite(service.url);
  const { text } = await oidcBrowser(site).get('/console', null);
  t.notMatch(text, /id="provider"/);
  t.equal((await oidcBrowser(site).begin()).status, 400);
  const returned = await oidcBrowser(site).open(`${site.url}/console/oidc/return?code=a`);
  t.equal(returned.status, 303);
});
