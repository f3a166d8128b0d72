import { type RawBuilder, sql } from 'kysely';
import { isDigest } from '../../src/domain/proof/digest.ts';
import { isUlid, type OrganisationId, type ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { foldText } from './fold-text.ts';
import { trigramsOf, writtenTrigramsOf } from './trigrams.ts';

/** A search in one organisation. */
export interface Search {
  readonly organisationId: OrganisationId;
  /** Folded text to find in file names and descriptions. */
  readonly text: string;
  /** Proofs whose file hash, transaction hash or id equals the whole text. */
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

/** Condition that a row of `documents d` matches the search. */
export function matches({ text, proofIds }: Search): RawBuilder<boolean> {
  const named = proofIds.length === 0 ? sql`` : sql`OR d.proof_id = ANY(${proofIds}::text[])`;
  return sql`(strpos(d.file_name, ${text}) > 0 OR strpos(d.description, ${text}) > 0 ${named})`;
}

/** Ids of all proofs that match, and possibly of some that do not. */
export function candidates(search: Search, trigrams: readonly string[]): RawBuilder<unknown> {
  const numbers = trigramsOf(search.organisationId, trigrams);
  return sql`
    SELECT proof_id FROM document_details WHERE trigrams @> ${`{${numbers.join(',')}}`}::integer[]
    UNION SELECT unnest(${search.proofIds}::text[])`;
}

const samples = 256;
/**
 * Most hits in the sample for the index, about 2 % of an organisation's proofs. Up to that, looking
 * up each proof is faster than reading all.
 */
const mostHits = 5;
/** More trigrams would hardly narrow a search further, and each is another list to read. */
const mostTrigrams = 4;
/** Maximum number of trigrams considered of a text of any length. */
const mostConsidered = 64;

/** Rows that a search reads: hits of the trigram index, or all proofs of the organisation. */
type SearchPlan =
  | { readonly reads: 'hits'; readonly trigrams: readonly string[] }
  | { readonly reads: 'all' | 'all of few' };

/** True for a search text that is too short for the trigram index. */
export function isTooShortForIndex(text: string): boolean {
  return writtenTrigramsOf(foldText(text), 1).length === 0;
}

/**
 * Decides which rows a search reads. It reads all proofs if there are at most `fewProofs` or if the
 * text is too short for a trigram. It also reads all if a sample shows that the text, or even its
 * rarest trigram, is common. The sample also gives the rarest trigrams.
 */
export async function planSearch(
  db: ReadModels,
  { organisationId, text }: Search,
  fewProofs: number,
): Promise<SearchPlan> {
  const trigrams = writtenTrigramsOf(text, mostConsidered);
  if (trigrams.length === 0) return { reads: 'all' };
  const sample = await readSample(db, organisationId, fewProofs);
  if (sample.length === 0) return { reads: 'all of few' };
  const rowsWith = (part: string) =>
    sample.reduce((count, texts) => count + (texts.some((own) => own?.includes(part)) ? 1 : 0), 0);
  if (rowsWith(text) > mostHits) return { reads: 'all' };
  const counted = trigrams.map((trigram) => ({ trigram, rows: rowsWith(trigram) }));
  const rarest = counted.sort((one, other) => one.rows - other.rows).slice(0, mostTrigrams);
  // The index would give too many rows to look up, even for a rare text.
  if ((rarest[0]?.rows ?? 0) > mostHits) return { reads: 'all' };
  return { reads: 'hits', trigrams: rarest.map(({ trigram }) => trigram) };
}

/**
 * Reads names and descriptions of one random proof from each of `samples` equal ranges, so that
 * neither clusters nor periods bias the sample. Returns none if there are few proofs.
 */
async function readSample(
  db: ReadModels,
  organisationId: OrganisationId,
  fewProofs: number,
): Promise<readonly (readonly (string | null)[])[]> {
  const fractions = Array.from({ length: samples }, (_, n) => (n + Math.random()) / samples);
  const { rows } = await sql<{ file_name: string | null; description: string | null }>`
    SELECT d.file_name, d.description
    FROM document_ordinals o
    CROSS JOIN LATERAL (
      SELECT 1 + floor(fraction * o.last)::bigint AS ordinal
      FROM unnest(${fractions}::float8[]) AS fraction OFFSET 0
    ) sample
    CROSS JOIN LATERAL (
      SELECT * FROM documents
      WHERE organisation_id = o.organisation_id AND ordinal = sample.ordinal OFFSET 0
    ) d
    WHERE o.organisation_id = ${organisationId} AND o.last > ${fewProofs}`.execute(db);
  return rows.map((row) => [row.file_name, row.description]);
}

async function findExactly(
  db: ReadModels,
  organisationId: OrganisationId,
  text: string,
): Promise<readonly ProofId[]> {
  const hash = text.toLowerCase();
  // The check justifies the cast. The list checks the proof's owner.
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
