import type { DefinitionsOf, EventOf } from '../event.ts';
import type { KeyId, OrganisationId } from '../ulid.ts';
import type { Scope } from './scope.ts';

/** `keyHash` is the SHA-256 of the key in hex. Limits are null if the organisation's apply. */
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

type KeyRevoked = EventOf<'KeyRevoked', { readonly keyId: KeyId }>;

/**
 * Fence that keeps the number of an organisation's keys within its limit. Appended together with
 * KeyIssued, to the stream of the organisation's key places. `taken` is the number of keys that are
 * then neither revoked nor expired, including the new key.
 */
type KeyPlaceTaken = EventOf<'KeyPlaceTaken', { readonly keyId: KeyId; readonly taken: number }>;

/** The events of a key's own stream. */
export type KeyEvent = KeyIssued | KeyRevoked;

/** The events of the stream of an organisation's key places. */
export type KeyPlaceEvent = KeyPlaceTaken;

export const keyEvents: DefinitionsOf<KeyEvent | KeyPlaceEvent> = {
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
  KeyPlaceTaken: { schema: 1, clear: ['keyId', 'taken'] },
};
