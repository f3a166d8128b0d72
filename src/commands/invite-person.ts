import { peopleDecider } from '../domain/person/decider.ts';
import type { Role } from '../domain/person/events.ts';
import {
  formatInvitation,
  invitationMs,
  parseInvitation,
  personTokenBytes,
} from '../domain/person/invitation-token.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, PersonId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

export interface InviteDeps {
  readonly store: EventStore;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

interface InviteOrder {
  readonly organisationId: OrganisationId;
  readonly role: Role;
  readonly email: string;
}

/** An invitation for the person to open. `invitation` is shown once: only its hash is stored. */
export interface MadeInvitation {
  readonly invitation: string;
  readonly expiresAt: string;
}

/**
 * Invites a person to the console of the organisation for one day. Somebody with this address
 * already gets a new invitation. Refuses with ORGANISATION_NOT_FOUND and INVALID_REQUEST.
 */
export async function invitePerson(
  { store, newId, randomBytes, now }: InviteDeps,
  order: InviteOrder,
  meta: EventMeta,
): Promise<MadeInvitation> {
  const { organisationId } = order;
  const invitation = formatInvitation(organisationId, randomBytes(personTokenBytes));
  const parsed = parseInvitation(invitation);
  if (parsed === null) throw new Error('an invitation of another form was made');
  const expiresAt = new Date(now().getTime() + invitationMs).toISOString();
  const { invitationHash } = parsed;
  const data = { ...order, personId: newId() as PersonId, invitationHash, expiresAt };
  await loadOrganisation(store, organisationId);
  const stream = streams.people(organisationId);
  await handle(store, stream, peopleDecider, (state) => peopleDecider.invite(state, data), meta);
  return { invitation, expiresAt };
}
