import { test } from 'tap';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { removePerson } from '../../../src/commands/remove-person.ts';
import { maxRoleChanges } from '../../../src/domain/person/decider.ts';
import { formatInvitation, personTokenBytes } from '../../../src/domain/person/invitation-token.ts';
import { presentPeople } from '../../../src/domain/person/state.ts';
import { streams } from '../../../src/domain/streams.ts';
import { consoleSite } from '../../../src/http/console/console-site.ts';
import { loadPeople } from '../../../src/loading/load-people.ts';
import { signedIn } from '../../support/console-person.ts';
import { testDeps } from '../../support/event-store.ts';
import { joinHttpService, operator } from '../../support/http-service.ts';

test('an invitation never changes the role of somebody in the list', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const roleOf = async (email: string) =>
    presentPeople(await loadPeople(service.store, organisationId)).find(
      (each) => each.email === email,
    )?.role;
  const invite = (email: string, role: string) => owner.post('/console/people', { email, role });

  const first = await invite('new@example.org', 'member');
  t.match(first, { status: 201, text: 'Role: <span class="badge">member</span></p>' });
  const second = await invite('NEW@example.org', 'owner');
  t.match(second, { status: 409, text: 'new@example.org is in the list already, as member.' });
  t.match(second.text, 'To change the role, choose Make owner in the list.');
  t.match(second.text, 'value="NEW@example.org"', 'the form is kept');
  t.notMatch(second.text, 'id="link"', 'nobody is invited');
  t.equal(await roleOf('new@example.org'), 'member');
  t.match(await invite('NEW@example.org', 'member'), { status: 201 });

  const reader = await signedIn(service, organisationId, {
    role: 'member',
    email: 'r@example.org',
  });
  t.equal((await reader.get('/console/keys/new')).status, 403);
  await owner.post(`/console/people/${reader.personId}/role`, { role: 'owner' });
  t.equal((await reader.get('/console/keys/new')).status, 200, 'also of somebody who has joined');
  const kept = await owner.post(`/console/people/${reader.personId}/invite`);
  t.match(kept, { status: 201, text: 'Role: <span class="badge">owner</span></p>' });
  t.equal((await invite('r@example.org', 'member')).status, 409);
  t.equal(await roleOf('r@example.org'), 'owner', 'the preset role of the form demotes nobody');

  const last = await invite('ada@example.org', 'member');
  t.match(last, { status: 409, text: 'as owner' });
  t.notMatch(last.text, 'id="link"', 'nobody is invited');
  t.equal(await roleOf('ada@example.org'), 'owner');
});

test('the page of the people says that roles were changed 2,000 times', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const member = await signedIn(service, organisationId, { role: 'member', email: 'm@x.org' });
  const { personId } = member;
  const events = Array.from({ length: maxRoleChanges }, (_, n) => {
    const role = n % 2 === 0 ? 'owner' : 'member';
    return { type: 'PersonRoleChanged', data: { personId, role } } as never;
  });
  const stream = streams.people(organisationId);
  const expectedVersion = await service.store.versionOf(stream);
  await service.store.append([{ organisationId, stream, expectedVersion, events }], operator);
  const refused = await owner.post(`/console/people/${personId}/role`, { role: 'owner' });
  t.match(refused, { status: 400, text: 'Roles were changed 2000 times, the maximum; remove' });
  t.equal((await member.get('/console/keys/new')).status, 403, 'the role is the former');
  t.equal((await owner.post(`/console/people/${personId}/remove`)).status, 303);
});

test('the people are read again only after something was appended about them', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const member = await signedIn(service, organisationId, { role: 'member', email: 'm@x.org' });
  const stream = streams.people(organisationId);
  const {
    events: { store },
  } = service.services;
  const reads = t.capture(store, 'readStream', store.readStream);
  const readNow = () => reads().filter(({ args }) => `${args[0]}` === stream).length;

  const { url, origin } = consoleSite(service.url);
  const call = (path: string, body: object) => {
    const headers = { origin, 'content-type': 'application/json' };
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const invitation = formatInvitation(organisationId, Buffer.alloc(personTokenBytes));
  const userHandle = Buffer.from(`${organisationId}${owner.personId}`).toString('base64url');
  const answers = await Promise.all([
    ...['/console/people', '/console/keys', '/console/people'].map((path) => owner.get(path)),
    ...Array.from({ length: 5 }, () => call('/console/join/options', { invitation })),
    ...Array.from({ length: 5 }, () => call('/console/sign-in', { response: { userHandle } })),
  ]);
  t.strictSame(
    answers.map(({ status }) => status),
    [...Array(3).fill(200), ...Array(10).fill(403)],
  );
  t.equal(readNow(), 1, 'once for all, also for callers without a session');

  await removePerson(service.store, { organisationId, personId: member.personId }, operator);
  readNow();
  t.equal((await member.get('/console/keys')).status, 401, 'a removal holds at once');
  t.notMatch((await owner.get('/console/people')).text, 'm@x.org');
  t.equal(readNow(), 1);
});

test('a blank name is told as a missing name, never as a dead invitation', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const { url, origin } = consoleSite(service.url);
  const deps = { ...testDeps, store: service.store, now: () => new Date() };
  const order = { organisationId, email: 'new@example.org', role: 'member' } as const;
  const { invitation } = await invitePerson(deps, order, operator);
  const join = async (body: object) => {
    const headers = { origin, 'content-type': 'application/json', accept: 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${url}/console/join`, init);
    return { status: answer.status, text: await answer.text() };
  };
  const missing = { status: 400, text: 'the name is missing' };
  for (const name of ['', ' \t ', undefined, 7]) {
    t.match(await join({ invitation, name, response: {} }), missing, JSON.stringify(name));
  }
  const dead = { invitation: `${invitation.slice(0, -1)}!`, name: '', response: {} };
  t.match(await join(dead), { status: 403, text: 'does not exist' });
  const wrong = await join({ invitation, name: 'x'.repeat(2_000), response: {} });
  t.equal(wrong.status, 403, 'the passkey is checked next');
});
