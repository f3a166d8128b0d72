import { type RawBuilder, sql } from 'kysely';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { type BlockchainStatus, blockchainStatuses } from './blockchain-status.ts';
import { allWorkspaces } from './blocks.ts';
import { type DocumentRecord, type RecordRow, recordsOf, toRecord } from './record.ts';
import { candidates, matches, planSearch, type Search, searchFor } from './search.ts';
import { blockSize } from './table.ts';

export interface DocumentsQuery {
  readonly organisationId: OrganisationId;
  /** Page number from 1; a page has `limit` proofs. */
  readonly page: number;
  readonly limit: number;
  readonly workspaceId?: WorkspaceId | null;
  readonly blockchainStatus?: BlockchainStatus | null;
  /**
   * Words, each a part of the file name or the description, in any order and without regard to case
   * (`foldText`). Or a whole file hash, commitment, transaction hash, proof id or document id, in
   * either case. Empty or blank means absent.
   */
  readonly search?: string | null;
}

interface ListingOptions {
  /**
   * Maximum number of an organisation's proofs that a search reads without the index; default
   * 5,000.
   */
  readonly fewProofs?: number;
  /**
   * Called before a search reads all proofs of an organisation with more than `fewProofs`. It may
   * reject.
   */
  readonly beforeReadingAll?: () => Promise<void>;
}

export interface DocumentsPage {
  readonly items: readonly DocumentRecord[];
  /** Exact number on all pages. */
  readonly total: number;
}

/**
 * One page of an organisation's proofs, newest first, with their total, both of one moment. Counts
 * per block of proofs locate a page. These counts are stored, or for a search with many hits come
 * from one read of all proofs. A search with few hits uses the trigram index.
 */
export async function queryDocuments(
  db: ReadModels,
  query: DocumentsQuery,
  { fewProofs = 5_000, beforeReadingAll }: ListingOptions = {},
): Promise<DocumentsPage> {
  const search = query.search?.trim()
    ? await searchFor(db, query.organisationId, query.search)
    : null;
  const plan = search && (await planSearch(db, search, fewProofs));
  if (plan?.reads === 'all') await beforeReadingAll?.();
  const found =
    search && plan?.reads === 'hits'
      ? foundByIndex(query, search, plan.trigrams)
      : foundByBlocks(query, search);
  const { rows } = await sql<{ total: number } & (RecordRow | { proof_id: null })>`
    ${found}
    SELECT (SELECT total FROM total), item.*
    FROM (VALUES (1)) AS always
    LEFT JOIN (${recordsOf(sql`SELECT proof_id FROM page`)}) item ON true
    ORDER BY item.ordinal DESC`.execute(db);
  return {
    items: rows.flatMap((row) => (row.proof_id === null ? [] : [toRecord(row)])),
    total: rows[0]?.total ?? 0,
  };
}

/** Queries for `page` and `total` that read every hit. */
function foundByIndex(
  query: DocumentsQuery,
  search: Search,
  trigrams: readonly string[],
): RawBuilder<unknown> {
  // OFFSET 0 lets the index decide which rows are read, whatever the planner estimates.
  return sql`
    WITH hits AS MATERIALIZED (
      SELECT d.proof_id, d.ordinal
      FROM (${candidates(search, trigrams)} OFFSET 0) candidate
      CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE proof_id = candidate.proof_id OFFSET 0
      ) d
      WHERE ${matchesQuery(query, search)}
    ),
    total AS (SELECT count(*) AS total FROM hits),
    page AS MATERIALIZED (
      SELECT proof_id, ordinal FROM hits ORDER BY ordinal DESC
      OFFSET ${offsetOf(query)} LIMIT ${query.limit}
    )`;
}

/** Queries for `page` and `total` by the number of hits per block. */
function foundByBlocks(query: DocumentsQuery, search: Search | null): RawBuilder<unknown> {
  const offset = offsetOf(query);
  return sql`
    WITH counts AS MATERIALIZED (${search ? countedNow(query, search) : countedBefore(query)}),
    total AS (SELECT coalesce(sum(found), 0)::bigint AS total FROM counts),
    ranked AS (
      SELECT block, found, sum(found) OVER (ORDER BY block DESC) - found AS newer
      FROM counts WHERE found > 0
    ),
    needed AS MATERIALIZED (
      SELECT block, newer FROM ranked
      WHERE newer < ${offset}::bigint + ${query.limit} AND newer + found > ${offset}
    ),
    page AS MATERIALIZED (
      SELECT d.proof_id, d.ordinal
      FROM needed
      CROSS JOIN LATERAL (
        SELECT * FROM documents
        WHERE organisation_id = ${query.organisationId}
          AND ordinal >= needed.block * ${sql.lit(blockSize)}
          AND ordinal < (needed.block + 1) * ${sql.lit(blockSize)}
        OFFSET 0
      ) d
      WHERE ${matchesQuery(query, search)}
      ORDER BY d.ordinal DESC
      OFFSET ${offset} - (SELECT coalesce(min(newer), 0) FROM needed) LIMIT ${query.limit}
    )`;
}

function countedBefore({ organisationId, workspaceId, blockchainStatus }: DocumentsQuery) {
  const statuses = blockchainStatus ? [blockchainStatus] : blockchainStatuses;
  const found = sql.join(
    statuses.map((status) => sql.ref(status)),
    sql` + `,
  );
  return sql`
    SELECT block, ${found} AS found FROM document_blocks
    WHERE organisation_id = ${organisationId} AND workspace_id = ${workspaceId ?? allWorkspaces}`;
}

function countedNow(query: DocumentsQuery, search: Search) {
  return sql`
    SELECT d.ordinal / ${sql.lit(blockSize)} AS block, count(*) AS found FROM documents d
    WHERE ${matchesQuery(query, search)} GROUP BY 1`;
}

/** Condition that a row of `documents d` matches the query. */
function matchesQuery(query: DocumentsQuery, search: Search | null): RawBuilder<boolean> {
  const { organisationId, workspaceId, blockchainStatus } = query;
  const conditions = [sql`d.organisation_id = ${organisationId}`];
  if (workspaceId) conditions.push(sql`d.workspace_id = ${workspaceId}`);
  if (blockchainStatus) conditions.push(sql`d.status = ${blockchainStatus}`);
  if (search) conditions.push(matches(search));
  return sql`${sql.join(conditions, sql` AND `)}`;
}

function offsetOf({ page, limit }: DocumentsQuery): number {
  return (page - 1) * limit;
}
