import { peopleDecider, type RoleOfKnown } from '../domain/person/decider.ts';
import { indexedAddress } from '../domain/person/email.ts';
import type { PersonEvent, Role } from '../domain/person/events.ts';
import {
  formatInvitation,
  invitationMs,
  parseInvitation,
  personTokenBytes,
} from '../domain/person/invitation-token.ts';
import { type PeopleState, personWithAddress, requirePerson } from '../domain/person/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, PersonId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';
import { loadPeople } from '../loading/load-people.ts';

export interface InviteDeps {
  readonly store: EventStore;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/** An invitation for the person to open. `invitation` is shown once: only its hash is stored. */
export interface MadeInvitation {
  readonly invitation: string;
  readonly expiresAt: string;
  readonly email: string;
  readonly role: Role;
  /** Role until now; null for somebody new. */
  readonly formerRole: Role | null;
}

/**
 * Invites a person to the console of the organisation for one day. Somebody with this address
 * already gets a new invitation; `roleOfKnown` says which role (default: that of the order, at once).
 * Refuses with ORGANISATION_NOT_FOUND and INVALID_REQUEST, and throws `OtherRole`.
 */
export async function invitePerson(
  deps: InviteDeps,
  {
    roleOfKnown = 'changes',
    ...order
  }: {
    readonly organisationId: OrganisationId;
    readonly role: Role;
    readonly email: string;
    readonly roleOfKnown?: RoleOfKnown;
  },
  meta: EventMeta,
): Promise<MadeInvitation> {
  const { organisationId, email } = order;
  await loadOrganisation(deps.store, organisationId);
  const personId = deps.newId() as PersonId;
  const made = await makeInvitation(deps, { organisationId, email });
  const decide = (state: PeopleState) =>
    peopleDecider.invite(state, { ...order, ...made.data, personId }, roleOfKnown);
  const state = await append(deps, organisationId, decide, meta);
  const formerRole = personWithAddress(state, email)?.role ?? null;
  const role = roleOfKnown === 'stays' ? (formerRole ?? order.role) : order.role;
  return { ...made.shown, role, formerRole };
}

/**
 * Invites somebody again, who lost the way to sign in or let the invitation end. The role stays.
 * Refuses with NOT_FOUND somebody who is not of this organisation, and with INVALID_REQUEST.
 */
export async function reinvitePerson(
  deps: InviteDeps,
  order: { readonly organisationId: OrganisationId; readonly personId: PersonId },
  meta: EventMeta,
): Promise<MadeInvitation> {
  const { organisationId, personId } = order;
  const { email } = requirePerson(await loadPeople(deps.store, organisationId), personId);
  const made = await makeInvitation(deps, { organisationId, email });
  const decide = (state: PeopleState) => peopleDecider.reinvite(state, { personId, ...made.data });
  const state = await append(deps, organisationId, decide, meta);
  const { role } = requirePerson(state, personId);
  return { ...made.shown, role, formerRole: role };
}

/** A new invitation to the address: its parts that are stored, and those that are shown. */
async function makeInvitation(
  { store, randomBytes, now }: InviteDeps,
  { organisationId, email }: { readonly organisationId: OrganisationId; readonly email: string },
) {
  const invitation = formatInvitation(organisationId, randomBytes(personTokenBytes));
  const parsed = parseInvitation(invitation);
  if (parsed === null) throw new Error('an invitation of another form was made');
  const expiresAt = new Date(now().getTime() + invitationMs).toISOString();
  const addressIndex = await store.serviceIndex(indexedAddress(email));
  const { invitationHash } = parsed;
  return {
    data: { invitationHash, expiresAt, addressIndex },
    shown: { invitation, expiresAt, email },
  };
}

/** Appends what is decided, and returns the people before. */
async function append(
  { store }: InviteDeps,
  organisationId: OrganisationId,
  decide: (state: PeopleState) => readonly PersonEvent[],
  meta: EventMeta,
): Promise<PeopleState> {
  const stream = streams.people(organisationId);
  return (await handle(store, stream, peopleDecider, decide, meta)).state;
}
