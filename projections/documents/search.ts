import { type RawBuilder, sql } from 'kysely';
import { isDigest } from '../../src/domain/proof/digest.ts';
import { isUlid, type OrganisationId, type ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { foldText } from './fold-text.ts';
import { hasTrigram, someTrigramsOf } from './trigrams.ts';

/** What is searched for, in one organisation. */
export interface Search {
  readonly organisationId: OrganisationId;
  /** Folded, to be found in file names and descriptions. */
  readonly text: string;
  /** The proofs that it names as a whole: by file hash, transaction hash or id. */
  readonly proofIds: readonly ProofId[];
}

export async function searchFor(
  db: ReadModels,
  organisationId: OrganisationId,
  text: string,
): Promise<Search> {
  const proofIds = await findExactly(db, organisationId, text);
  return { organisationId, text: foldText(text), proofIds };
}

/** Whether a row of `documents d` is found. */
export function matches({ text, proofIds }: Search): RawBuilder<boolean> {
  const named = proofIds.length === 0 ? sql`` : sql`OR d.proof_id = ANY(${proofIds}::text[])`;
  return sql`(strpos(d.file_name, ${text}) > 0 OR strpos(d.description, ${text}) > 0 ${named})`;
}

/** More would not narrow a search further, but would have to be looked up. */
const mostTrigrams = 16;

/** The ids of the proofs that may be found, and of none too few; for a search that has a trigram. */
export function candidates({ organisationId, text, proofIds }: Search): RawBuilder<unknown> {
  const trigrams = `{${someTrigramsOf(organisationId, text, mostTrigrams).join(',')}}`;
  return sql`
    SELECT proof_id FROM document_details WHERE trigrams @> ${trigrams}::integer[]
    UNION SELECT unnest(${proofIds}::text[])`;
}

const samples = 256;
/** Up to about 2 % of an organisation's proofs it is faster to look each hit up than to read them all. */
const mostHits = 5;

/**
 * Whether to look the search up in the index of trigrams instead of reading everything that the
 * organisation has: not where that is little (`fewProofs`), nor where the text is too short for the
 * index, nor where a sample says that it is all over the place.
 */
export async function isRare(db: ReadModels, search: Search, fewProofs: number): Promise<boolean> {
  if (!hasTrigram(search.text)) return false;
  const { organisationId } = search;
  const { rows } = await sql<{ last: number }>`
    SELECT last FROM document_ordinals WHERE organisation_id = ${organisationId}`.execute(db);
  const last = rows[0]?.last ?? 0;
  if (last <= fewProofs) return false;
  // One at random of each of so many stretches, so that neither clusters nor periods mislead.
  const stretch = last / samples;
  const ordinals = Array.from({ length: samples }, (_, n) =>
    Math.min(last, 1 + Math.floor((n + Math.random()) * stretch)),
  );
  const found = await sql<{ hits: number }>`
    SELECT count(*) AS hits
    FROM unnest(${ordinals}::bigint[]) AS sample (ordinal)
    CROSS JOIN LATERAL (
      SELECT * FROM documents
      WHERE organisation_id = ${organisationId} AND ordinal = sample.ordinal OFFSET 0
    ) d
    WHERE ${matches(search)}`.execute(db);
  return (found.rows[0]?.hits ?? 0) <= mostHits;
}

async function findExactly(
  db: ReadModels,
  organisationId: OrganisationId,
  text: string,
): Promise<readonly ProofId[]> {
  const hash = text.toLowerCase();
  // The cast stands behind the check; whose proof it is, the list sees to.
  if (isUlid(text.toUpperCase())) return [text.toUpperCase() as ProofId];
  if (!isDigest(hash)) return [];
  const bytes = Buffer.from(hash, 'hex');
  const { rows } = await sql<{ proof_id: ProofId }>`
    SELECT proof_id FROM document_details
    WHERE organisation_id = ${organisationId} AND file_hash = ${bytes}
    UNION
    SELECT proof_id FROM document_anchors WHERE transaction_hash = ${bytes}`.execute(db);
  return rows.map((row) => row.proof_id);
}
