import type { DefinitionsOf, EventOf } from '../event.ts';
import type { KeyId, OrganisationId } from '../ulid.ts';
import type { Scope } from './scope.ts';

/** `keyHash` is the SHA-256 of the key in hex; limits are null where the organisation's apply. */
export type KeyIssued = EventOf<
  'KeyIssued',
  {
    readonly keyId: KeyId;
    readonly organisationId: OrganisationId;
    readonly keyHash: string;
    readonly displayPrefix: string;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
    readonly agent: boolean;
    readonly expiresAt: string | null;
    readonly requestsPerMinute: number | null;
    readonly requestsPerDay: number | null;
  }
>;

export type KeyRevoked = EventOf<'KeyRevoked', { readonly keyId: KeyId }>;

export type KeyEvent = KeyIssued | KeyRevoked;

export const keyEvents: DefinitionsOf<KeyEvent> = {
  KeyIssued: {
    schema: 1,
    clear: [
      'keyId',
      'organisationId',
      'keyHash',
      'displayPrefix',
      'scopes',
      'agent',
      'expiresAt',
      'requestsPerMinute',
      'requestsPerDay',
    ],
  },
  KeyRevoked: { schema: 1, clear: ['keyId'] },
};
