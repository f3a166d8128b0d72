import type { Digest } from '../../src/domain/proof/digest.ts';
import type { LinkId, OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { LinksTables } from './table.ts';

export interface SharedLink {
  readonly linkId: LinkId;
  readonly organisationId: OrganisationId;
  readonly proofId: ProofId;
}

/** The link of a token that was not withdrawn; null if there is none. It may have expired. */
export async function findLink(db: ReadModels, tokenHash: Digest): Promise<SharedLink | null> {
  const row = await db
    .$extendTables<LinksTables>()
    .selectFrom('links')
    .where('token_hash', '=', tokenHash)
    .select(['link_id', 'organisation_id', 'proof_id'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    linkId: row.link_id as LinkId,
    organisationId: row.organisation_id as OrganisationId,
    proofId: row.proof_id as ProofId,
  };
}
