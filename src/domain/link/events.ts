import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Digest } from '../proof/digest.ts';
import type { LinkId, OrganisationId, ProofId } from '../ulid.ts';

/** The owner of a proof shares it: everybody who has the link's token may see the proof's page. */
export type LinkCreated = EventOf<
  'LinkCreated',
  {
    readonly linkId: LinkId;
    readonly proofId: ProofId;
    readonly organisationId: OrganisationId;
    /** SHA-256 of the token. The token itself is stored nowhere. */
    readonly tokenHash: Digest;
    readonly showsFileName: boolean;
    /** True if search engines may list the page. */
    readonly mayBeIndexed: boolean;
    /** `YYYY-MM-DDTHH:MM:SS.sssZ`; null for a link without an end. */
    readonly expiresAt: string | null;
  }
>;

/** The owner no longer shares the proof by this link. */
export type LinkWithdrawn = EventOf<
  'LinkWithdrawn',
  { readonly linkId: LinkId; readonly proofId: ProofId }
>;

export type LinkEvent = LinkCreated | LinkWithdrawn;

/** All is in clear: no field names a person, a file or its hash, or opens the page. */
export const linkEvents: DefinitionsOf<LinkEvent> = {
  LinkCreated: {
    schema: 1,
    clear: [
      'linkId',
      'proofId',
      'organisationId',
      'tokenHash',
      'showsFileName',
      'mayBeIndexed',
      'expiresAt',
    ],
  },
  LinkWithdrawn: { schema: 1, clear: ['linkId', 'proofId'] },
};
