import type { DefinitionsOf, EventOf } from '../event.ts';

/** A key of the issuer, `NAME+ID+KEY` (C2SP signed-note, Ed25519). It signs bundles from here on. */
export type IssuerKeyPublished = EventOf<'IssuerKeyPublished', { readonly key: string }>;

/** The key signs no more. What it has signed before stays valid, unless it was compromised. */
export type IssuerKeyRetired = EventOf<'IssuerKeyRetired', { readonly key: string }>;

/** Somebody else may have signed with the key `since` then (ISO 8601), as the operator judges. */
export type IssuerKeyCompromised = EventOf<
  'IssuerKeyCompromised',
  { readonly key: string; readonly since: string }
>;

export type IssuerEvent = IssuerKeyPublished | IssuerKeyRetired | IssuerKeyCompromised;

export const issuerEvents: DefinitionsOf<IssuerEvent> = {
  IssuerKeyPublished: { schema: 1, clear: ['key'] },
  IssuerKeyRetired: { schema: 1, clear: ['key'] },
  IssuerKeyCompromised: { schema: 1, clear: ['key', 'since'] },
};
