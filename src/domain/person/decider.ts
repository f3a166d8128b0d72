import type { Decisions, OwnedDecider } from '../decider.ts';
import { checkName } from '../name.ts';
import { ownerOf } from '../owner-of.ts';
import type { Digest } from '../proof/digest.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationId, PersonId } from '../ulid.ts';
import { checkEmail } from './email.ts';
import type { Passkey, PersonEvent, PersonInvited, Role } from './events.ts';
import {
  evolvePeople,
  invitationsOf,
  invitedPerson,
  type PeopleState,
  type Person,
  presentPeople,
  presentPerson,
  unknownPeople,
} from './state.ts';

/** State of the people of one organisation, and the decisions on it. */
export const peopleDecider = {
  initial: unknownPeople,
  evolve: evolvePeople,
  ownerOf: (state: PeopleState, decided: readonly PersonEvent[]): OrganisationId => {
    const [first] = decided;
    return first?.type === 'PersonInvited' ? first.data.organisationId : ownerOf(state);
  },
  invite,
  register,
  changeRole,
  remove,
} satisfies OwnedDecider<PeopleState, PersonEvent> & Decisions;

/** Maximum number of people of an organisation, those who are invited included. */
export const maxPeople = 100;
/** Maximum number of invitations ever: the whole stream is read together. */
export const maxInvitations = 2_000;

/**
 * Invites a person. Somebody with this address already gets a new invitation, and keeps id and role.
 * Refuses with INVALID_REQUEST an address of another form, and at the maximum numbers.
 */
function invite(state: PeopleState, order: PersonInvited['data']): readonly PersonEvent[] {
  const email = checkEmail(order.email);
  if (invitationsOf(state) >= maxInvitations) {
    throw new Refusal('INVALID_REQUEST', `${maxInvitations} invitations were made, the maximum`);
  }
  const known = presentPeople(state).find((person) => sameAddress(person.email, email));
  if (known !== undefined) {
    const { invitationHash, expiresAt } = order;
    const { personId } = known;
    return [{ type: 'PersonReinvited', data: { personId, invitationHash, expiresAt } }];
  }
  if (presentPeople(state).length >= maxPeople) {
    const message = `the organisation has ${maxPeople} people, the maximum; remove one first`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'PersonInvited', data: { ...order, email } }];
}

function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * Accepts an invitation. Refuses with NOT_FOUND one that was accepted, replaced or withdrawn, has
 * expired or never existed.
 */
function register(
  state: PeopleState,
  order: {
    readonly invitationHash: Digest;
    readonly name: string;
    readonly passkey: Passkey;
  },
  now: Date,
): readonly PersonEvent[] {
  const person = invitedPerson(state, order.invitationHash, now);
  if (person === null) throw noInvitation();
  const name = checkName('name', order.name);
  const { passkey } = order;
  return [{ type: 'PersonRegistered', data: { personId: person.personId, name, passkey } }];
}

/** The refusal of every invitation that does not hold, whatever the reason. */
export function noInvitation(): Refusal {
  const message = 'the invitation was used, has ended or does not exist; ask for a new one';
  return new Refusal('NOT_FOUND', message);
}

/** Refuses with NOT_FOUND, and with INVALID_REQUEST if no other owner would remain. */
function changeRole(state: PeopleState, personId: PersonId, role: Role): readonly PersonEvent[] {
  const person = requirePerson(state, personId);
  if (person.role === role) return [];
  if (role !== 'owner') requireOtherOwner(state, person);
  return [{ type: 'PersonRoleChanged', data: { personId, role } }];
}

/** As `changeRole`. `mayBeLast`: an operator may remove the last owner. */
function remove(
  state: PeopleState,
  personId: PersonId,
  { mayBeLast = false }: { readonly mayBeLast?: boolean } = {},
): readonly PersonEvent[] {
  const person = requirePerson(state, personId);
  if (!mayBeLast) requireOtherOwner(state, person);
  return [{ type: 'PersonRemoved', data: { personId } }];
}

function requirePerson(state: PeopleState, personId: PersonId): Person {
  const person = presentPerson(state, personId);
  if (person !== null) return person;
  throw new Refusal('NOT_FOUND', 'the organisation has no such person');
}

function requireOtherOwner(state: PeopleState, person: Person): void {
  if (person.role !== 'owner' || person.registeredAt === null) return;
  const others = presentPeople(state).filter(
    ({ personId, role, registeredAt }) =>
      personId !== person.personId && role === 'owner' && registeredAt !== null,
  );
  if (others.length > 0) return;
  const message = 'this is the last owner; make somebody else an owner first';
  throw new Refusal('INVALID_REQUEST', message);
}
