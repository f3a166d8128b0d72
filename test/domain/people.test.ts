import { test } from 'tap';
import { maxPeople, peopleDecider } from '../../src/domain/person/decider.ts';
import type { PersonEvent, PersonInvited } from '../../src/domain/person/events.ts';
import {
  formatInvitation,
  hashToken,
  parseInvitation,
} from '../../src/domain/person/invitation-token.ts';
import { type PeopleState, presentPeople } from '../../src/domain/person/state.ts';
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
    ...change,
  } as const;
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

test('people and addresses have limits', async (t) => {
  const full = after(...Array.from({ length: maxPeople }, (_, n) => invited(`p${n}`)));
  t.throws(() => peopleDecider.invite(full, invited('x').data), /100 people/);
  t.equal(peopleDecider.invite(full, invited('p7').data)[0]?.type, 'PersonReinvited');
  for (const email of ['', 'a', 'a b@c', '@', 'a@b@c', 'a@b\n', `${'a'.repeat(250)}@b.cd`]) {
    const order = invited('x', { email }).data;
    t.throws(() => peopleDecider.invite(after(), order), { code: 'INVALID_REQUEST' }, email);
  }
});

test('the text of an invitation names its organisation, and no other text is one', async (t) => {
  const text = formatInvitation(organisationId, Buffer.alloc(32, 7));
  const token = text.split('.')[1] ?? '';
  t.strictSame(parseInvitation(text), { organisationId, invitationHash: hashToken(token) });
  for (const wrong of ['', '.', token, `${text}.`, text.slice(1), text.slice(0, -1), `x${text}`])
    t.equal(parseInvitation(wrong), null, wrong);
});
