import type { Recorded } from '../event.ts';
import type { OrganisationId, PersonId } from '../ulid.ts';
import type { Invitation, Passkey, PersonEvent, Role } from './events.ts';

/** A person of an organisation. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Person {
  readonly personId: PersonId;
  readonly role: Role;
  readonly email: string;
  /** Null until the person has registered. */
  readonly name: string | null;
  readonly invitedAt: string;
  readonly registeredAt: string | null;
  readonly isRemoved: boolean;
  /** Null once it was accepted. */
  readonly invitation: Invitation | null;
  readonly passkey: Passkey | null;
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
      ...{ invitedAt: event.recordedAt, registeredAt: null, isRemoved: false },
      ...{ invitation: { invitationHash, expiresAt }, passkey: null },
    };
    const invitations = invitationsOf(state) + 1;
    return { status: 'known', organisationId, people: [...peopleOf(state), person], invitations };
  }
  if (state.status === 'unknown') throw new Error(`${event.type} before PersonInvited`);
  const { personId } = event.data;
  const people = state.people.map((person) => {
    return person.personId === personId ? { ...person, ...changeOf(event) } : person;
  });
  const invitations = state.invitations + (event.type === 'PersonReinvited' ? 1 : 0);
  return { ...state, people, invitations };
}

function changeOf(
  event: Recorded<Exclude<PersonEvent, { type: 'PersonInvited' }>>,
): Partial<Person> {
  switch (event.type) {
    case 'PersonReinvited': {
      const { invitationHash, expiresAt } = event.data;
      return { invitation: { invitationHash, expiresAt } };
    }
    case 'PersonRegistered': {
      const { name, passkey } = event.data;
      return { name, passkey, invitation: null, registeredAt: event.recordedAt };
    }
    case 'PersonRoleChanged':
      return { role: event.data.role };
    case 'PersonRemoved':
      return { isRemoved: true, invitation: null, passkey: null };
  }
}

/** People who were not removed. */
export function presentPeople(state: PeopleState): readonly Person[] {
  return peopleOf(state).filter(({ isRemoved }) => !isRemoved);
}

export function presentPerson(state: PeopleState, personId: PersonId): Person | null {
  return presentPeople(state).find((person) => person.personId === personId) ?? null;
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
  if (found?.invitation == null) return null;
  return Date.parse(found.invitation.expiresAt) > now.getTime() ? found : null;
}

/** All people ever invited. */
export function peopleOf(state: PeopleState): readonly Person[] {
  return state.status === 'known' ? state.people : [];
}

export function invitationsOf(state: PeopleState): number {
  return state.status === 'known' ? state.invitations : 0;
}
