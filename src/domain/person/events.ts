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

/** A person as an issuer (OpenID Connect) knows it: the pair never belongs to anybody else. */
export interface Identity {
  /** URL of the issuer. */
  readonly issuer: string;
  /** The issuer's id of the person. */
  readonly subject: string;
}

/** An invitation, which is accepted once and before its end. */
export interface Invitation {
  /** SHA-256 of the token in the link. The token itself is stored nowhere. */
  readonly invitationHash: Digest;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly expiresAt: string;
}

/** The address as an index, by which a person is found in all organisations. */
interface Indexed {
  /** HMAC under a key of the service, lower-case hex; null in events of the first schema. */
  readonly addressIndex: string | null;
}

export type PersonInvited = EventOf<
  'PersonInvited',
  {
    readonly personId: PersonId;
    readonly organisationId: OrganisationId;
    readonly role: Role;
    readonly email: string;
  } & Invitation &
    Indexed
>;

/** A new invitation of the same person. The former one no longer holds. */
export type PersonReinvited = EventOf<
  'PersonReinvited',
  { readonly personId: PersonId } & Invitation & Indexed
>;

/** The person accepted the invitation. The passkey replaces a former one, and an identity. */
type PersonRegistered = EventOf<
  'PersonRegistered',
  { readonly personId: PersonId; readonly name: string; readonly passkey: Passkey }
>;

/**
 * The person accepted the invitation by an identity, which replaces a former one and the passkey.
 * Without a name, in events of earlier builds, the identity was bound beside the passkey.
 */
export type PersonIdentified = EventOf<
  'PersonIdentified',
  {
    readonly personId: PersonId;
    readonly identity: Identity;
    /** HMAC of the identity under a key of the service, lower-case hex. */
    readonly identityIndex: string;
    readonly name: string | null;
  }
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
  | PersonIdentified
  | PersonRoleChanged
  | PersonRemoved;

export const personEvents: DefinitionsOf<PersonEvent> = {
  PersonInvited: {
    schema: 2,
    clear: ['personId', 'organisationId', 'role', 'expiresAt'],
    upcasts: { 1: (data) => ({ ...data, addressIndex: null }) },
  },
  PersonReinvited: {
    schema: 2,
    clear: ['personId', 'expiresAt'],
    upcasts: { 1: (data) => ({ ...data, addressIndex: null }) },
  },
  PersonRegistered: { schema: 1, clear: ['personId'] },
  PersonIdentified: { schema: 1, clear: ['personId'] },
  PersonRoleChanged: { schema: 1, clear: ['personId', 'role'] },
  PersonRemoved: { schema: 1, clear: ['personId'] },
};
