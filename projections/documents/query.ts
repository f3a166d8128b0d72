import { type RawBuilder, sql } from 'kysely';
import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { DocumentId, OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { allWorkspaces } from './blocks.ts';
import { type DocumentRecord, type RecordRow, recordsOf, toRecord } from './record.ts';

/** A stored document of the organisation, of any revision; null if there is none. */
export async function queryDocument(
  db: ReadModels,
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord | null> {
  const named = sql`document_id = ${documentId}`;
  return (await findAll(db, organisationId, named, sql`revision`))[0] ?? null;
}

/** A proof of the organisation, of a document or of a bare hash; null if there is none. */
export async function queryProofRecord(
  db: ReadModels,
  organisationId: OrganisationId,
  proofId: ProofId,
): Promise<DocumentRecord | null> {
  const named = sql`proof_id = ${proofId}`;
  return (await findAll(db, organisationId, named, sql`p.proof_id`))[0] ?? null;
}

/** The documents that exist, of any organisation: only for callers whose ids come from the log. */
export async function findDocuments(
  db: ReadModels,
  documentIds: readonly DocumentId[],
): Promise<ReadonlyMap<DocumentId, DocumentRecord>> {
  const found = sql`
    SELECT proof_id FROM document_details WHERE document_id = ANY(${documentIds}::text[])`;
  const { rows } = await sql<RecordRow>`${recordsOf(found)}`.execute(db);
  return new Map(
    rows.flatMap((row) => (row.document_id ? [[row.document_id, toRecord(row)]] : [])),
  );
}

/** The revisions of a document that were not given up, first upload first. */
export async function queryVersions(
  db: ReadModels,
  organisationId: OrganisationId,
  rootDocumentId: DocumentId,
): Promise<readonly DocumentRecord[]> {
  const named = sql`root_document_id = ${rootDocumentId} AND document_id IS NOT NULL`;
  return findAll(db, organisationId, named, sql`revision`);
}

/** Part of a document's revisions, first upload first, and the number of all. */
export interface ChainPart {
  readonly revisions: readonly DocumentRecord[];
  readonly total: number;
}

/**
 * The first and the latest revision of a document, and those around one: `each` before it and after
 * it. Revisions that were given up are left out.
 */
export async function queryChainAround(
  db: ReadModels,
  organisationId: OrganisationId,
  {
    rootDocumentId,
    revision,
    each,
  }: { readonly rootDocumentId: DocumentId; readonly revision: number; readonly each: number },
): Promise<ChainPart> {
  const chain = sql`
    FROM document_details
    WHERE organisation_id = ${organisationId} AND root_document_id = ${rootDocumentId}
      AND document_id IS NOT NULL`;
  const found = sql`
    (SELECT proof_id ${chain} ORDER BY revision LIMIT 1)
    UNION (SELECT proof_id ${chain} ORDER BY revision DESC LIMIT 1)
    UNION (SELECT proof_id ${chain} AND revision <= ${revision} ORDER BY revision DESC LIMIT ${each + 1})
    UNION (SELECT proof_id ${chain} AND revision > ${revision} ORDER BY revision LIMIT ${each})`;
  const counted = await sql<{ total: number }>`SELECT count(*) AS total ${chain}`.execute(db);
  const { rows } = await sql<RecordRow>`${recordsOf(found)} ORDER BY revision`.execute(db);
  return { revisions: rows.map(toRecord), total: counted.rows[0]?.total ?? 0 };
}

/** A page of the documents whose classification names the run, newest first; `page` from 1. */
export async function queryDocumentsOfRun(
  db: ReadModels,
  organisationId: OrganisationId,
  runId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<readonly DocumentRecord[]> {
  const found = sql`
    SELECT x.proof_id FROM document_details x JOIN documents d USING (proof_id)
    WHERE x.organisation_id = ${organisationId} AND x.run_id = ${runId}
    ORDER BY d.ordinal DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
  const { rows } = await sql<RecordRow>`${recordsOf(found)} ORDER BY ordinal DESC`.execute(db);
  return rows.map(toRecord);
}

/** Number of the documents whose classification names the run. */
export async function countDocumentsOfRun(
  db: ReadModels,
  organisationId: OrganisationId,
  runId: string,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM document_details
    WHERE organisation_id = ${organisationId} AND run_id = ${runId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Returns true if the classification of a document names the run. */
export async function hasDocumentsOfRun(
  db: ReadModels,
  organisationId: OrganisationId,
  runId: string,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM document_details
    WHERE organisation_id = ${organisationId} AND run_id = ${runId} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Proofs of an organisation that a look-up by size reads at most. */
const mostSizes = 10_000;

/**
 * Returns false if no file of the organisation has so many bytes. Returns true if one has, or if
 * there are too many files to look at.
 */
export async function mayHaveFileOf(
  db: ReadModels,
  organisationId: OrganisationId,
  { leastBytes, mostBytes }: { readonly leastBytes: number; readonly mostBytes: number },
): Promise<boolean> {
  const { rows } = await sql<{ possible: boolean | null }>`
    SELECT count(*) > ${mostSizes}
      OR bool_or(bytes BETWEEN ${leastBytes}::bigint AND ${mostBytes}::bigint) AS possible
    FROM (
      SELECT file_size_bytes AS bytes FROM document_details
      WHERE organisation_id = ${organisationId} LIMIT ${mostSizes + 1}
    ) AS files`.execute(db);
  return rows[0]?.possible ?? false;
}

/**
 * Number of the organisation's proofs that are neither anchored nor given up, as far as the log was
 * folded.
 */
export async function countUnsettled(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<number> {
  const { rows } = await sql<{ unsettled: number }>`
    SELECT coalesce(sum(pending + processing), 0)::bigint AS unsettled FROM document_blocks
    WHERE organisation_id = ${organisationId} AND workspace_id = ${allWorkspaces}`.execute(db);
  return rows[0]?.unsettled ?? 0;
}

/**
 * Returns the given blobs that an event names, even if its proof was given up, as far as the log
 * has been folded. Wait for the head of the log (`awaitPosition`) before concluding that a blob is
 * absent.
 */
export async function namedBlobs(
  db: ReadModels,
  keys: readonly BlobKey[],
): Promise<ReadonlySet<BlobKey>> {
  const { rows } = await sql<{ blob_key: BlobKey }>`
    SELECT blob_key FROM document_blobs WHERE blob_key = ANY(${keys}::text[])`.execute(db);
  return new Set(rows.map((row) => row.blob_key));
}

async function findAll(
  db: ReadModels,
  organisationId: OrganisationId,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly DocumentRecord[]> {
  const found = sql`
    SELECT proof_id FROM document_details
    WHERE organisation_id = ${organisationId} AND ${condition}`;
  const { rows } = await sql<RecordRow>`${recordsOf(found)} ORDER BY ${order}`.execute(db);
  return rows.map(toRecord);
}
