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
  /** Null once it was accepted. */
  readonly invitation: Invitation | null;
  readonly passkey: Passkey | null;
  /** Null until the person has signed in by an issuer. */
  readonly identity: Identity | null;
}

/** All people of one organisation. */
export type PeopleState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly organisationId: OrganisationId;
      /** People who were not removed, in the order of their first invitation: a bounded number. */
      readonly present: readonly Person[];
      /** People who were removed, with nothing by which they could sign in. */
      readonly removed: readonly Person[];
      /** Number of invitations so far. */
      readonly invitations: number;
      /** Number of changes of roles so far. */
      readonly roleChanges: number;
    };

export const unknownPeople: PeopleState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolvePeople(state: PeopleState, event: Recorded<PersonEvent>): PeopleState {
  if (event.type === 'PersonInvited') {
    const { personId, organisationId, role, email, invitationHash, expiresAt } = event.data;
    const person: Person = {
      ...{ personId, role, email, name: null },
      ...{ invitedAt: event.recordedAt, registeredAt: null, registrations: 0 },
      ...{ invitation: { invitationHash, expiresAt }, passkey: null, identity: null },
    };
    const present = [...presentPeople(state), person];
    const removed = state.status === 'known' ? state.removed : [];
    const invitations = invitationsOf(state) + 1;
    const roleChanges = roleChangesOf(state);
    return { status: 'known', organisationId, present, removed, invitations, roleChanges };
  }
  if (state.status === 'unknown') throw new Error(`${event.type} before PersonInvited`);
  const { personId } = event.data;
  if (event.type === 'PersonRemoved') {
    const present = state.present.filter((person) => person.personId !== personId);
    const gone = state.present
      .filter((person) => person.personId === personId)
      .map((person) => ({ ...person, invitation: null, passkey: null, identity: null }));
    return { ...state, present, removed: [...state.removed, ...gone] };
  }
  const present = state.present.map((person) => {
    return person.personId === personId ? { ...person, ...changeOf(person, event) } : person;
  });
  const invitations = state.invitations + (event.type === 'PersonReinvited' ? 1 : 0);
  const roleChanges = state.roleChanges + (event.type === 'PersonRoleChanged' ? 1 : 0);
  return { ...state, present, invitations, roleChanges };
}

function changeOf(
  { registrations }: Person,
  event: Recorded<Exclude<PersonEvent, { type: 'PersonInvited' | 'PersonRemoved' }>>,
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
  }
}

/** People who were not removed. */
export function presentPeople(state: PeopleState): readonly Person[] {
  return state.status === 'known' ? state.present : [];
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
  return state.status === 'known' ? [...state.present, ...state.removed] : [];
}

export function invitationsOf(state: PeopleState): number {
  return state.status === 'known' ? state.invitations : 0;
}

export function roleChangesOf(state: PeopleState): number {
  return state.status === 'known' ? state.roleChanges : 0;
}
