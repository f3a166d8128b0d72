import type { Recorded } from '../event.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationId, PersonId } from '../ulid.ts';
import { isSameAddress } from './email.ts';
import type { Identity, Invitation, Passkey, PersonEvent, Role } from './events.ts';

/** A person of an organisation. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Person {
  readonly personId: PersonId;
  readonly role: Role;
  readonly email: string;
  /** Null until the person has registered. */
  readonly name: string | null;
  readonly invitedAt: string;
  readonly registeredAt: string | null;
  /** Number of invitations that the person has accepted. Each replaces the former way to sign in. */
  readonly registrations: number;
  readonly isRemoved: boolean;
  /** Null once it was accepted. */
  readonly invitation: Invitation | null;
  readonly passkey: Passkey | null;
  /** Null until the person has signed in by an issuer. */
  readonly identity: Identity | null;
}

/** All people of one organisation, in the order of their first invitation. */
export type PeopleState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly organisationId: OrganisationId;
      readonly people: readonly Person[];
      /** Number of invitations so far. */
      readonly invitations: number;
    };

export const unknownPeople: PeopleState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolvePeople(state: PeopleState, event: Recorded<PersonEvent>): PeopleState {
  if (event.type === 'PersonInvited') {
    const { personId, organisationId, role, email, invitationHash, expiresAt } = event.data;
    const person: Person = {
      ...{ personId, role, email, name: null },
      ...{ invitedAt: event.recordedAt, registeredAt: null, registrations: 0, isRemoved: false },
      ...{ invitation: { invitationHash, expiresAt }, passkey: null, identity: null },
    };
    const invitations = invitationsOf(state) + 1;
    return { status: 'known', organisationId, people: [...peopleOf(state), person], invitations };
  }
  if (state.status === 'unknown') throw new Error(`${event.type} before PersonInvited`);
  const { personId } = event.data;
  const people = state.people.map((person) => {
    return person.personId === personId ? { ...person, ...changeOf(person, event) } : person;
  });
  const invitations = state.invitations + (event.type === 'PersonReinvited' ? 1 : 0);
  return { ...state, people, invitations };
}

function changeOf(
  { registrations }: Person,
  event: Recorded<Exclude<PersonEvent, { type: 'PersonInvited' }>>,
): Partial<Person> {
  switch (event.type) {
    case 'PersonReinvited': {
      const { invitationHash, expiresAt } = event.data;
      return { invitation: { invitationHash, expiresAt } };
    }
    case 'PersonRegistered': {
      const { name, passkey } = event.data;
      const registered = { registeredAt: event.recordedAt, registrations: registrations + 1 };
      return { name, passkey, identity: null, invitation: null, ...registered };
    }
    case 'PersonIdentified': {
      const { identity, name } = event.data;
      if (name === null) return { identity };
      const registered = { registeredAt: event.recordedAt, registrations: registrations + 1 };
      return { identity, name, passkey: null, invitation: null, ...registered };
    }
    case 'PersonRoleChanged':
      return { role: event.data.role };
    case 'PersonRemoved':
      return { isRemoved: true, invitation: null, passkey: null, identity: null };
  }
}

/** People who were not removed. */
export function presentPeople(state: PeopleState): readonly Person[] {
  return peopleOf(state).filter(({ isRemoved }) => !isRemoved);
}

export function presentPerson(state: PeopleState, personId: PersonId): Person | null {
  return presentPeople(state).find((person) => person.personId === personId) ?? null;
}

/** As `presentPerson`; refuses with NOT_FOUND. */
export function requirePerson(state: PeopleState, personId: PersonId): Person {
  const person = presentPerson(state, personId);
  if (person !== null) return person;
  throw new Refusal('NOT_FOUND', 'the organisation has no such person');
}

/** The person who was invited by this address; null if there is none. */
export function personWithAddress(state: PeopleState, email: string): Person | null {
  return presentPeople(state).find((person) => isSameAddress(person.email, email)) ?? null;
}

/** The person whose invitation still holds; null if there is none. */
export function invitedPerson(
  state: PeopleState,
  invitationHash: string,
  now: Date,
): Person | null {
  const found = presentPeople(state).find(
    ({ invitation }) => invitation?.invitationHash === invitationHash,
  );
  return found !== undefined && holdsInvitation(found, now) ? found : null;
}

/** True if the person was invited, and the invitation has neither been accepted nor ended. */
export function holdsInvitation({ invitation }: Person, now: Date): boolean {
  return invitation !== null && Date.parse(invitation.expiresAt) > now.getTime();
}

export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.issuer === b.issuer && a.subject === b.subject;
}

/** Text of which the index of an identity is made. */
export function indexedIdentity({ issuer, subject }: Identity): string {
  return `identity of a person|${JSON.stringify([issuer, subject])}`;
}

/** All people ever invited. */
export function peopleOf(state: PeopleState): readonly Person[] {
  return state.status === 'known' ? state.people : [];
}

export function invitationsOf(state: PeopleState): number {
  return state.status === 'known' ? state.invitations : 0;
}
