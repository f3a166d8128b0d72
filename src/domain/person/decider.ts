import type { Decisions, OwnedDecider } from '../decider.ts';
import { checkName } from '../name.ts';
import { ownerOf } from '../owner-of.ts';
import type { Digest } from '../proof/digest.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationId, PersonId } from '../ulid.ts';
import { checkEmail, isSameAddress } from './email.ts';
import type {
  Identity,
  Passkey,
  PersonEvent,
  PersonInvited,
  PersonReinvited,
  Role,
} from './events.ts';
import {
  evolvePeople,
  invitationsOf,
  invitedPerson,
  isSameIdentity,
  type PeopleState,
  type Person,
  personWithAddress,
  presentPeople,
  requirePerson,
  roleChangesOf,
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
  reinvite,
  register,
  identify,
  changeRole,
  remove,
} satisfies OwnedDecider<PeopleState, PersonEvent> & Decisions;

/** Maximum number of people of an organisation, those who are invited included. */
export const maxPeople = 100;
/** Maximum number of invitations ever: the whole stream is read together. */
export const maxInvitations = 2_000;
/** Maximum number of changes of roles ever, for the same reason. */
export const maxRoleChanges = 2_000;

/**
 * Effect of an invitation on the role of somebody with this address already: it becomes the role of
 * the order at once, it stays, or the invitation is refused if they differ.
 */
export type RoleOfKnown = 'changes' | 'stays' | 'must-match';

/** Refusal of an invitation with another role than the person has. */
export class OtherRole extends Refusal {
  readonly person: Person;

  constructor(person: Person) {
    const { email, role } = person;
    super('INVALID_REQUEST', `${email} is in the list already, as ${role}`);
    this.person = person;
  }
}

/**
 * Invites a person. Somebody with this address already keeps the id, and gets a new invitation.
 * Refuses with INVALID_REQUEST an address of another form, more than the maximum numbers, and a role
 * that would leave no owner. Throws `OtherRole` if the role must match and does not.
 */
function invite(
  state: PeopleState,
  order: PersonInvited['data'],
  roleOfKnown: RoleOfKnown = 'changes',
): readonly PersonEvent[] {
  const email = checkEmail(order.email);
  const known = personWithAddress(state, email);
  if (known !== null) {
    const { invitationHash, expiresAt, addressIndex } = order;
    const { personId, role } = known;
    if (roleOfKnown === 'must-match' && role !== order.role) throw new OtherRole(known);
    return [
      ...(roleOfKnown === 'stays' ? [] : changeRole(state, personId, order.role)),
      ...reinvite(state, { personId, invitationHash, expiresAt, addressIndex }),
    ];
  }
  requireInvitations(state);
  if (presentPeople(state).length >= maxPeople) {
    const message = `the organisation has ${maxPeople} people, the maximum; remove one first`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'PersonInvited', data: { ...order, email } }];
}

/**
 * Invites a person again, whose role stays. Refuses with NOT_FOUND, and with INVALID_REQUEST at the
 * maximum number of invitations.
 */
function reinvite(state: PeopleState, data: PersonReinvited['data']): readonly PersonEvent[] {
  requirePerson(state, data.personId);
  requireInvitations(state);
  return [{ type: 'PersonReinvited', data }];
}

function requireInvitations(state: PeopleState): void {
  if (invitationsOf(state) < maxInvitations) return;
  throw new Refusal('INVALID_REQUEST', `${maxInvitations} invitations were made, the maximum`);
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

/** A sign-in by an issuer (OpenID Connect). */
export interface IdentifyOrder {
  readonly personId: PersonId;
  readonly identity: Identity;
  readonly identityIndex: string;
  /** Address that the issuer has verified; null if it verified none. */
  readonly email: string | null;
  readonly name: string;
  /** Invitation that the person accepts; null for a sign-in without one. */
  readonly invitationHash: Digest | null;
}

/**
 * Signs a person in by an identity. It is bound, and replaced, only by accepting an invitation: the
 * verified address must be the person's own. Refuses with NOT_FOUND an invitation that does not
 * hold, and with INVALID_REQUEST another address, and an identity that is not bound.
 */
function identify(state: PeopleState, order: IdentifyOrder, now: Date): readonly PersonEvent[] {
  const { personId, identity, identityIndex, email } = order;
  const person = requirePerson(state, personId);
  if (order.invitationHash !== null) {
    if (invitedPerson(state, order.invitationHash, now)?.personId !== personId)
      throw noInvitation();
    requireAddress(person, email);
    const data = { personId, identity, identityIndex, name: order.name };
    return [{ type: 'PersonIdentified', data }];
  }
  if (person.identity !== null && isSameIdentity(person.identity, identity)) return [];
  const message =
    'this person does not sign in with this account of the identity provider; ask an owner for a new invitation, open its link, and join with the provider there';
  throw new Refusal('INVALID_REQUEST', message);
}

function requireAddress(person: Person, email: string | null): void {
  if (email !== null && isSameAddress(person.email, email)) return;
  const message =
    'the identity provider does not confirm the e-mail address of the invitation; verify that address at the provider, or join with a passkey';
  throw new Refusal('INVALID_REQUEST', message);
}

/** The refusal of every invitation that does not hold, whatever the reason. */
export function noInvitation(): Refusal {
  const message = 'the invitation was used, has ended or does not exist; ask for a new one';
  return new Refusal('NOT_FOUND', message);
}

/**
 * Refuses with NOT_FOUND, and with INVALID_REQUEST if no other owner would remain, or at the maximum
 * number of changes of roles.
 */
function changeRole(state: PeopleState, personId: PersonId, role: Role): readonly PersonEvent[] {
  const person = requirePerson(state, personId);
  if (person.role === role) return [];
  if (role !== 'owner') requireOtherOwner(state, person);
  if (roleChangesOf(state) >= maxRoleChanges) {
    const message = `roles were changed ${maxRoleChanges} times, the maximum; remove the person, and send an invitation with the other role`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  return [{ type: 'PersonRoleChanged', data: { personId, role } }];
}

/**
 * Refuses with NOT_FOUND, and with INVALID_REQUEST if no other owner would remain. `mayBeLast`: an operator
 * may remove the last owner.
 */
function remove(
  state: PeopleState,
  personId: PersonId,
  { mayBeLast = false }: { readonly mayBeLast?: boolean } = {},
): readonly PersonEvent[] {
  const person = requirePerson(state, personId);
  if (!mayBeLast) requireOtherOwner(state, person);
  return [{ type: 'PersonRemoved', data: { personId } }];
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
