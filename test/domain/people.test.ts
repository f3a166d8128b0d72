import { test } from 'tap';
import { maxPeople, maxRoleChanges, peopleDecider } from '../../src/domain/person/decider.ts';
import { indexedAddress, isSameAddress } from '../../src/domain/person/email.ts';
import type { PersonEvent, PersonInvited } from '../../src/domain/person/events.ts';
import {
  formatInvitation,
  hashToken,
  parseInvitation,
} from '../../src/domain/person/invitation-token.ts';
import { type PeopleState, peopleOf, presentPeople } from '../../src/domain/person/state.ts';
import type { OrganisationId, PersonId } from '../../src/domain/ulid.ts';

const organisationId = '01M7XT7V0YJ4K5M6N7P8Q9R0ST' as OrganisationId;
const at = '2026-11-24T00:00:00.000Z';
const now = new Date('2026-11-24T01:00:00.000Z');
const passkey = { credentialId: 'c', publicKey: 'k', transports: [] };
const person = (id: string) => id as PersonId;

function after(...events: readonly PersonEvent[]): PeopleState {
  return events.reduce<PeopleState>(
    (state, event) => peopleDecider.evolve(state, { ...event, recordedAt: at }),
    peopleDecider.initial,
  );
}

function invited(id: string, change: Partial<PersonInvited['data']> = {}): PersonInvited {
  const data = {
    ...{ personId: person(id), organisationId, role: 'owner' as const, email: `${id}@example.org` },
    ...{ invitationHash: hashToken(id), expiresAt: '2026-11-25T00:00:00.000Z' },
    addressIndex: null,
    ...change,
  } as PersonInvited['data'];
  return { type: 'PersonInvited', data };
}

const registered = (id: string): PersonEvent => ({
  type: 'PersonRegistered',
  data: { personId: person(id), name: id, passkey },
});
const accept = (state: PeopleState, id: string, when = now) =>
  peopleDecider.register(state, { invitationHash: hashToken(id), name: 'Ada', passkey }, when);

test('an invitation holds once, until its end, and not after a newer one', async (t) => {
  const state = after(invited('a'));
  t.match(accept(state, 'a'), [{ type: 'PersonRegistered', data: { personId: 'a' } }]);
  t.throws(() => accept(state, 'b'), { code: 'NOT_FOUND' });
  t.throws(() => accept(state, 'a', new Date('2026-11-25T00:00:00.000Z')), { code: 'NOT_FOUND' });
  t.throws(() => accept(after(invited('a'), registered('a')), 'a'), { code: 'NOT_FOUND' });
  const removed = { type: 'PersonRemoved', data: { personId: person('a') } } as const;
  t.throws(() => accept(after(invited('a'), removed), 'a'), { code: 'NOT_FOUND' });
  const again = invited('x', { email: 'A@Example.org', invitationHash: hashToken('newer') });
  const decided = peopleDecider.invite(state, again.data);
  t.match(decided, [{ type: 'PersonReinvited', data: { personId: 'a' } }], 'the same person');
  const renewed = after(invited('a'), ...decided);
  t.throws(() => accept(renewed, 'a'), { code: 'NOT_FOUND' });
  t.equal(accept(renewed, 'newer').length, 1);
});

test('an invitation of a known address gives the role that it names', async (t) => {
  const order = (role: 'owner' | 'member') =>
    invited('x', { email: 'B@example.org', invitationHash: hashToken('new'), role }).data;
  const two = [invited('a'), registered('a'), invited('b', { role: 'member' }), registered('b')];
  const decided = peopleDecider.invite(after(...two), order('owner'));
  t.match(decided, [
    { type: 'PersonRoleChanged', data: { personId: 'b', role: 'owner' } },
    { type: 'PersonReinvited', data: { personId: 'b' } },
  ]);
  t.match(presentPeople(after(...two, ...decided))[1], { personId: 'b', role: 'owner' });
  t.equal(peopleDecider.invite(after(...two), order('member')).length, 1, 'the same role');
  t.match(peopleDecider.invite(after(...two), order('owner'), 'stays'), [
    { type: 'PersonReinvited', data: { personId: 'b' } },
  ]);
  const mustMatch = (role: 'owner' | 'member') =>
    peopleDecider.invite(after(...two), order(role), 'must-match');
  t.equal(mustMatch('member').length, 1);
  t.throws(() => mustMatch('owner'), { message: /is in the list already, as member/ });
  const last = after(invited('b'), registered('b'));
  t.throws(() => peopleDecider.invite(last, order('member')), { code: 'INVALID_REQUEST' });
  const invitation = { personId: person('b'), addressIndex: null, expiresAt: at };
  const again = { ...invitation, invitationHash: hashToken('again') };
  t.match(peopleDecider.reinvite(last, again), [{ type: 'PersonReinvited', data: again }]);
  const gone = { ...again, personId: person('c') };
  t.throws(() => peopleDecider.reinvite(last, gone), { code: 'NOT_FOUND' });
});

test('the last owner stays, unless an operator removes it', async (t) => {
  const alone = after(invited('a'), registered('a'), invited('b'));
  t.throws(() => peopleDecider.remove(alone, person('a')), { code: 'INVALID_REQUEST' });
  t.throws(() => peopleDecider.changeRole(alone, person('a'), 'member'), {
    code: 'INVALID_REQUEST',
  });
  t.equal(peopleDecider.remove(alone, person('a'), { mayBeLast: true }).length, 1);
  t.equal(peopleDecider.remove(alone, person('b')).length, 1, 'who never registered');
  const two = after(invited('a'), registered('a'), invited('b'), registered('b'));
  const left = after(
    ...[invited('a'), registered('a'), invited('b'), registered('b')],
    ...peopleDecider.remove(two, person('a')),
  );
  t.strictSame(
    presentPeople(left).map(({ personId }) => personId),
    ['b'],
  );
  t.throws(() => peopleDecider.changeRole(left, person('a'), 'member'), { code: 'NOT_FOUND' });
});

test('an event about somebody present copies nobody who was removed', async (t) => {
  const removed = (id: string): PersonEvent => ({
    type: 'PersonRemoved',
    data: { personId: person(id) },
  });
  const ids = Array.from({ length: 50 }, (_, n) => `p${n}`);
  const state = after(invited('a'), ...ids.flatMap((id) => [invited(id), removed(id)]));
  const next = peopleDecider.evolve(state, { ...registered('a'), recordedAt: at });
  if (state.status === 'unknown' || next.status === 'unknown') throw new Error('nobody is known');
  t.equal(next.removed, state.removed, 'the same list');
  t.equal(next.removed.length, 50);
  t.match(next.removed[0], { email: 'p0@example.org', invitation: null });
  t.equal(next.present.length, 1);
  t.equal(peopleOf(next).length, 51);
});

const identity = { issuer: 'https://accounts.example', subject: 's1' };
const order = {
  ...{ personId: person('a'), identity, identityIndex: 'x', name: 'Ada' },
  ...{ email: 'A@example.org', invitationHash: hashToken('a') },
};
const unasked = { ...order, invitationHash: null };

function reinvited(id: string, token: string): PersonEvent {
  const invitation = { invitationHash: hashToken(token), expiresAt: '2026-11-25T00:00:00.000Z' };
  return {
    type: 'PersonReinvited',
    data: { personId: person(id), addressIndex: null, ...invitation },
  };
}

test('an invitation binds an identity with the verified address, once', async (t) => {
  const state = after(invited('a'));
  t.throws(() => peopleDecider.identify(state, unasked, now), { code: 'INVALID_REQUEST' });
  const joined = peopleDecider.identify(state, order, now);
  t.match(joined, [{ type: 'PersonIdentified', data: { name: 'Ada', identity } }]);
  const bound = after(invited('a'), ...joined);
  t.match(presentPeople(bound), [{ registeredAt: at, invitation: null, passkey: null, identity }]);
  t.throws(() => peopleDecider.identify(bound, order, now), { code: 'NOT_FOUND' });
  t.strictSame(peopleDecider.identify(bound, unasked, now), [], 'signs in');
  const silent = { ...unasked, email: null };
  t.strictSame(peopleDecider.identify(bound, silent, now), [], 'the subject counts');
  for (const other of [
    { ...identity, subject: 's2' },
    { ...identity, issuer: 'https://other.example' },
  ]) {
    const taken = { ...unasked, identity: other };
    t.throws(() => peopleDecider.identify(bound, taken, now), { code: 'INVALID_REQUEST' });
  }
  for (const email of [null, 'b@example.org']) {
    t.throws(() => peopleDecider.identify(state, { ...order, email }, now), {
      code: 'INVALID_REQUEST',
    });
  }
  const ended = new Date('2026-11-25T00:00:00.000Z');
  t.throws(() => peopleDecider.identify(state, order, ended), { code: 'NOT_FOUND' });
});

test('a person with a passkey gets an identity only by a new invitation', async (t) => {
  const before = [invited('a'), registered('a')];
  t.throws(() => peopleDecider.identify(after(...before), unasked, now), {
    code: 'INVALID_REQUEST',
  });
  const again = after(...before, reinvited('a', 'new'));
  t.throws(() => peopleDecider.identify(again, unasked, now), { code: 'INVALID_REQUEST' });
  const accepting = { ...order, invitationHash: hashToken('new') };
  const decided = peopleDecider.identify(again, accepting, now);
  t.match(presentPeople(after(...before, reinvited('a', 'new'), ...decided)), [
    { passkey: null, identity },
  ]);
});

test('recovery replaces every earlier way to sign in', async (t) => {
  const joined = peopleDecider.identify(after(invited('a')), order, now);
  const lost = [invited('a'), ...joined, reinvited('a', 'new')];
  const second = { ...unasked, identity: { ...identity, subject: 's2' } };
  t.throws(() => peopleDecider.identify(after(...lost), second, now), 'not without the link');
  const invitationHash = hashToken('new');
  const opened = { ...second, invitationHash };
  t.equal(peopleDecider.identify(after(...lost), opened, now).length, 1);
  t.throws(() => peopleDecider.identify(after(...lost), { ...opened, email: null }, now));
  const byPasskey = after(...lost, ...accept(after(...lost), 'new'));
  t.match(presentPeople(byPasskey), [{ passkey, identity: null, invitation: null }]);
  t.match(presentPeople(after(...lost)), [{ registrations: 1 }]);
  t.match(presentPeople(byPasskey), [{ registrations: 2 }]);
  t.throws(() => peopleDecider.identify(byPasskey, unasked, now), { code: 'INVALID_REQUEST' });
});

test('an identity that an earlier build bound beside a passkey stays', async (t) => {
  const data = { personId: person('a'), identity, identityIndex: 'x', name: null };
  const bound = [invited('a'), registered('a'), { type: 'PersonIdentified', data } as const];
  t.match(presentPeople(after(...bound)), [{ passkey, identity, name: 'a' }]);
  t.strictSame(peopleDecider.identify(after(...bound), unasked, now), []);
});

test('the case of A to Z does not matter in an address, and no other folding makes two equal', async (t) => {
  t.ok(isSameAddress('Ada.K@Example.ORG', 'ada.k@example.org'));
  t.equal(indexedAddress('Ada.K@Example.ORG'), indexedAddress('ada.k@example.org'));
  // Kelvin sign, long s, dotted capital I, sharp s, full-width A.
  for (const [a, b] of [
    ['\u212a@example.org', 'k@example.org'],
    ['\u017f@example.org', 's@example.org'],
    ['\u0130@example.org', 'i\u0307@example.org'],
    ['\u1e9e@example.org', '\u00df@example.org'],
    ['\uff21@example.org', '\uff41@example.org'],
  ] as const) {
    t.notOk(isSameAddress(a, b), a);
    t.not(indexedAddress(a), indexedAddress(b), a);
  }
});

test('people and addresses have limits', async (t) => {
  const full = after(...Array.from({ length: maxPeople }, (_, n) => invited(`p${n}`)));
  t.throws(() => peopleDecider.invite(full, invited('x').data), /100 people/);
  t.equal(peopleDecider.invite(full, invited('p7').data)[0]?.type, 'PersonReinvited');
  for (const email of ['', 'a', 'a b@c', '@', 'a@b@c', 'a@b\n', `${'a'.repeat(250)}@b.cd`]) {
    const order = invited('x', { email }).data;
    t.throws(() => peopleDecider.invite(after(), order), { code: 'INVALID_REQUEST' }, email);
  }
});

test('roles are not changed without end, and people can always be removed', async (t) => {
  const roles = Array.from({ length: maxRoleChanges + 9 }, (_, n): PersonEvent => {
    const role = n % 2 === 0 ? 'owner' : 'member';
    return { type: 'PersonRoleChanged', data: { personId: person('b'), role } };
  });
  const two = [invited('a'), registered('a'), invited('b', { role: 'member' }), registered('b')];
  const before = after(...two, ...roles.slice(0, maxRoleChanges - 1));
  t.match(peopleDecider.changeRole(before, person('b'), 'member'), [{ type: 'PersonRoleChanged' }]);
  for (const events of [roles.slice(0, maxRoleChanges), roles]) {
    const full = after(...two, ...events);
    const role = presentPeople(full)[1]?.role ?? 'owner';
    const other = role === 'owner' ? 'member' : 'owner';
    const refused = { code: 'INVALID_REQUEST', message: /roles were changed 2000 times/ };
    t.throws(() => peopleDecider.changeRole(full, person('b'), other), refused);
    const order = invited('x', { email: 'b@example.org', role: other }).data;
    t.throws(() => peopleDecider.invite(full, order), refused);
    t.match(peopleDecider.invite(full, order, 'stays'), [{ type: 'PersonReinvited' }]);
    t.strictSame(peopleDecider.changeRole(full, person('b'), role), [], 'the same role');
    t.match(peopleDecider.remove(full, person('b')), [{ type: 'PersonRemoved' }]);
  }
});

test('the text of an invitation names its organisation, and no other text is one', async (t) => {
  const text = formatInvitation(organisationId, Buffer.alloc(32, 7));
  const token = text.split('.')[1] ?? '';
  t.strictSame(parseInvitation(text), { organisationId, invitationHash: hashToken(token) });
  for (const wrong of ['', '.', token, `${text}.`, text.slice(1), text.slice(0, -1), `x${text}`])
    t.equal(parseInvitation(wrong), null, wrong);
});
