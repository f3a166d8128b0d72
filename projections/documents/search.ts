import { type RawBuilder, sql } from 'kysely';
import { isDigest } from '../../src/domain/proof/digest.ts';
import { isUlid, type OrganisationId, type ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { foldText } from './fold-text.ts';
import { trigramsOf, writtenTrigramsOf } from './trigrams.ts';

/** A search in one organisation. */
export interface Search {
  readonly organisationId: OrganisationId;
  /** Folded words; each must be in the file name or in the description. The longest come first. */
  readonly words: readonly string[];
  /** Proofs whose file hash, commitment, transaction hash, id or document's id is the whole text. */
  readonly proofIds: readonly ProofId[];
}

export async function searchFor(
  db: ReadModels,
  organisationId: OrganisationId,
  text: string,
): Promise<Search> {
  const proofIds = await findExactly(db, organisationId, text.trim());
  return { organisationId, words: wordsOf(text), proofIds };
}

/** Maximum number of words of a search. A description of 500 characters has no more. */
export const maxWords = 250;

/**
 * Distinct folded words of a text, the longest first. Drops words that are part of another one,
 * unless there are more than `maxWords`.
 */
export function wordsOf(text: string): readonly string[] {
  const words = new Set(foldText(text).split(/\s+/u).filter(Boolean));
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  if (words.size > maxWords) return longestFirst;
  const kept: string[] = [];
  for (const word of longestFirst) {
    if (!kept.some((other) => other.includes(word))) kept.push(word);
  }
  return kept;
}

/** Condition that a row of `documents d` matches the search. */
export function matches({ words, proofIds }: Search): RawBuilder<boolean> {
  const named = proofIds.length === 0 ? sql`` : sql`OR d.proof_id = ANY(${proofIds}::text[])`;
  const all = words.map(
    (word) => sql`(strpos(d.file_name, ${word}) > 0 OR strpos(d.description, ${word}) > 0)`,
  );
  return sql`((${sql.join(all, sql` AND `)}) ${named})`;
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

/** True for a search whose words are all too short for the trigram index. */
export function isTooShortForIndex(text: string): boolean {
  return trigramsOfWords(wordsOf(text), 1).length === 0;
}

/** The first `most` distinct trigrams of the words. */
function trigramsOfWords(words: readonly string[], most: number): readonly string[] {
  const found = new Set<string>();
  for (const word of words) {
    for (const trigram of writtenTrigramsOf(word, most - found.size)) found.add(trigram);
    if (found.size >= most) break;
  }
  return [...found];
}

/**
 * Decides which rows a search reads. It reads all proofs if there are at most `fewProofs` or if the
 * words are too short for a trigram. It also reads all if a sample shows that the words, or even
 * their rarest trigram, are common. The sample also gives the rarest trigrams.
 */
export async function planSearch(
  db: ReadModels,
  { organisationId, words }: Search,
  fewProofs: number,
): Promise<SearchPlan> {
  const trigrams = trigramsOfWords(words, mostConsidered);
  if (trigrams.length === 0) return { reads: 'all' };
  const sample = await readSample(db, organisationId, fewProofs);
  if (sample.length === 0) return { reads: 'all of few' };
  const rowsWith = (parts: readonly string[]) =>
    sample.filter((texts) => parts.every((part) => texts.some((own) => own?.includes(part))))
      .length;
  if (rowsWith(words) > mostHits) return { reads: 'all' };
  const counted = trigrams.map((trigram) => ({ trigram, rows: rowsWith([trigram]) }));
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
  const id = text.toUpperCase();
  if (isUlid(id)) {
    const { rows } = await sql<{ proof_id: ProofId }>`
      SELECT proof_id FROM document_details WHERE document_id = ${id}`.execute(db);
    return [id as ProofId, ...rows.map((row) => row.proof_id)];
  }
  if (!isDigest(hash)) return [];
  const bytes = Buffer.from(hash, 'hex');
  const { rows } = await sql<{ proof_id: ProofId }>`
    SELECT proof_id FROM document_details
    WHERE organisation_id = ${organisationId} AND file_hash = ${bytes}
    UNION
    SELECT proof_id FROM document_details WHERE commitment = ${hash}
    UNION
    SELECT proof_id FROM document_anchors WHERE transaction_hash = ${bytes}`.execute(db);
  return rows.map((row) => row.proof_id);
}
