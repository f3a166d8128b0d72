import { type RawBuilder, sql } from 'kysely';
import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { Classification } from '../../src/domain/document/classification.ts';
import type { Network } from '../../src/domain/network.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { ProofMetadata } from '../../src/domain/proof/metadata.ts';
import type { DocumentId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import { isAttested } from '../evidence/is-attested.ts';
import type { BlockchainStatus } from './blockchain-status.ts';

/** A proof as lists show it. Transaction hashes are upper-case hex; times are ISO 8601. */
export interface DocumentRecord {
  readonly proofId: ProofId;
  readonly workspaceId: WorkspaceId;
  readonly network: Network;
  readonly hashScheme: HashScheme;
  readonly commitment: string | null;
  readonly blockchainStatus: BlockchainStatus;
  readonly requestedAt: string;
  /** Description of the file: from its upload, otherwise from the request with the hash. */
  readonly fileHash: Digest;
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly mimeType: string | null;
  readonly description: string | null;
  /** Further members of the metadata sent with a hash. */
  readonly metadata: ProofMetadata | null;
  /**
   * `transactionHash` and `ledgerId` are null while pending. The transaction may change until
   * completed.
   */
  readonly transactionHash: string | null;
  readonly ledgerId: string | null;
  /** `ledgerIndex` and `closedAt` are null until completed. */
  readonly ledgerIndex: number | null;
  readonly closedAt: string | null;
  /** True if signatures of the ledger's validators are on record. */
  readonly isAttested: boolean;
  /** Null for a hash-only proof. */
  readonly document: ListedDocument | null;
}

export interface ListedDocument {
  readonly documentId: DocumentId;
  readonly rootDocumentId: DocumentId;
  readonly revision: number;
  /** Latest earlier revision that was not given up; null for the first. */
  readonly previousDocumentId: DocumentId | null;
  /** Transaction that its memo names or will name; null if none has been anchored. */
  readonly previousTransactionHash: string | null;
  readonly classification: Classification | null;
  readonly uploadedAt: string;
  readonly blobKey: BlobKey;
}

/** A row of `recordsOf`. */
export interface RecordRow {
  readonly proof_id: ProofId;
  readonly workspace_id: WorkspaceId;
  readonly network: Network;
  readonly hash_scheme: HashScheme;
  readonly commitment: string | null;
  readonly status: BlockchainStatus;
  readonly requested_at: string;
  readonly file_hash: Buffer;
  readonly file_name: string | null;
  readonly file_size_bytes: number | null;
  readonly mime_type: string | null;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly transaction_hash: Buffer | null;
  readonly ledger_id: string | null;
  readonly ledger_index: number | null;
  readonly closed_at: string | null;
  readonly is_attested: boolean;
  readonly document_id: DocumentId | null;
  readonly root_document_id: DocumentId;
  readonly revision: number;
  readonly previous_document_id: DocumentId | null;
  readonly previous_transaction_hash: Buffer | null;
  readonly classification: string | null;
  readonly uploaded_at: string;
  readonly blob_key: BlobKey;
}

/**
 * Query for all fields of the few proofs that `proofs`, a query with the column `proof_id`, names.
 * Finds the previous revision by a look-up, which skips revisions that were given up.
 */
export function recordsOf(
  proofs: RawBuilder<unknown>,
): RawBuilder<RecordRow & { ordinal: number }> {
  return sql`
    SELECT d.ordinal, p.proof_id, d.workspace_id, d.status, x.network, x.hash_scheme, x.commitment,
           x.requested_at, x.file_hash, x.file_name, x.file_size_bytes, x.mime_type, x.description,
           x.metadata,
           a.transaction_hash, a.ledger_id, a.ledger_index, a.closed_at,
           ${isAttested} AS is_attested,
           x.document_id, x.root_document_id, x.revision, x.classification, x.uploaded_at, x.blob_key,
           before.document_id AS previous_document_id,
           coalesce(a.previous_transaction_hash, before.transaction_hash)
             AS previous_transaction_hash
    FROM (${proofs}) p
    CROSS JOIN LATERAL (SELECT * FROM documents WHERE proof_id = p.proof_id OFFSET 0) d
    CROSS JOIN LATERAL (SELECT * FROM document_details WHERE proof_id = p.proof_id OFFSET 0) x
    LEFT JOIN LATERAL (SELECT * FROM document_anchors WHERE proof_id = p.proof_id OFFSET 0) a ON true
    LEFT JOIN LATERAL (
      SELECT * FROM evidence_ledgers
      WHERE ledger_id = a.ledger_id AND ledger_index = a.ledger_index OFFSET 0) e ON true
    LEFT JOIN LATERAL (
      SELECT * FROM divergent_proofs WHERE proof_id = p.proof_id OFFSET 0) other ON true
    LEFT JOIN LATERAL (
      SELECT b.document_id, c.transaction_hash
      FROM document_details b
      LEFT JOIN document_anchors c ON c.proof_id = b.proof_id AND c.ledger_index IS NOT NULL
      WHERE x.revision > 1 AND b.root_document_id = x.root_document_id AND b.revision < x.revision
        AND b.document_id IS NOT NULL
      ORDER BY b.revision DESC LIMIT 1
    ) before ON true`;
}

export function toRecord(row: RecordRow): DocumentRecord {
  return {
    proofId: row.proof_id,
    workspaceId: row.workspace_id,
    network: row.network,
    hashScheme: row.hash_scheme,
    commitment: row.commitment,
    blockchainStatus: row.status,
    requestedAt: row.requested_at,
    fileHash: row.file_hash.toString('hex') as Digest,
    fileName: row.file_name,
    fileSizeBytes: row.file_size_bytes,
    mimeType: row.mime_type,
    description: row.description,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    transactionHash: toHash(row.transaction_hash),
    ledgerId: row.ledger_id,
    ledgerIndex: row.ledger_index,
    closedAt: row.closed_at,
    isAttested: row.is_attested,
    document: row.document_id === null ? null : toDocument(row, row.document_id),
  };
}

function toDocument(row: RecordRow, documentId: DocumentId): ListedDocument {
  return {
    documentId,
    rootDocumentId: row.root_document_id,
    revision: row.revision,
    previousDocumentId: row.previous_document_id,
    previousTransactionHash: toHash(row.previous_transaction_hash),
    classification: row.classification === null ? null : JSON.parse(row.classification),
    uploadedAt: row.uploaded_at,
    blobKey: row.blob_key,
  };
}

function toHash(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('hex').toUpperCase();
}
