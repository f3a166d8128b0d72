import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Digest } from '../proof/digest.ts';
import type { OrganisationId, PersonId } from '../ulid.ts';

/** An owner changes keys and people; a member reads. */
export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** A passkey without its private part, which stays with the person. */
export interface Passkey {
  /** Base64url. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** Ways in which a browser reaches it, as WebAuthn names them. */
  readonly transports: readonly string[];
}

/** An invitation, which is accepted once and before its end. */
export interface Invitation {
  /** SHA-256 of the token in the link. The token itself is stored nowhere. */
  readonly invitationHash: Digest;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly expiresAt: string;
}

export type PersonInvited = EventOf<
  'PersonInvited',
  {
    readonly personId: PersonId;
    readonly organisationId: OrganisationId;
    readonly role: Role;
    readonly email: string;
  } & Invitation
>;

/** A new invitation of the same person. The former one no longer holds. */
type PersonReinvited = EventOf<'PersonReinvited', { readonly personId: PersonId } & Invitation>;

/** The person accepted the invitation. The passkey replaces every former one. */
type PersonRegistered = EventOf<
  'PersonRegistered',
  { readonly personId: PersonId; readonly name: string; readonly passkey: Passkey }
>;

type PersonRoleChanged = EventOf<
  'PersonRoleChanged',
  { readonly personId: PersonId; readonly role: Role }
>;

type PersonRemoved = EventOf<'PersonRemoved', { readonly personId: PersonId }>;

/** The events of the stream of an organisation's people. */
export type PersonEvent =
  | PersonInvited
  | PersonReinvited
  | PersonRegistered
  | PersonRoleChanged
  | PersonRemoved;

export const personEvents: DefinitionsOf<PersonEvent> = {
  PersonInvited: { schema: 1, clear: ['personId', 'organisationId', 'role', 'expiresAt'] },
  PersonReinvited: { schema: 1, clear: ['personId', 'expiresAt'] },
  PersonRegistered: { schema: 1, clear: ['personId'] },
  PersonRoleChanged: { schema: 1, clear: ['personId', 'role'] },
  PersonRemoved: { schema: 1, clear: ['personId'] },
};
