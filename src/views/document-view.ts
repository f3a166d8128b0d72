import type { DocumentRecord } from '../../projections/documents/record.ts';
import type { DocumentData } from './document-schema.ts';
import { isStandalone } from './known-ledgers.ts';
import { transactionUrls } from './transaction-urls.ts';
import type { ViewDeps } from './view-deps.ts';
import { viewMetadata } from './view-metadata.ts';

/**
 * A document, or a hash-only proof, as callers see it. `nonce` is null for callers who may not see
 * it.
 */
export async function viewDocument(
  { ledgers, publicUrl }: Pick<ViewDeps, 'ledgers' | 'publicUrl'>,
  record: DocumentRecord,
  nonce: string | null = null,
): Promise<DocumentData> {
  const { network, document, transactionHash: hash } = record;
  const standalone = await isStandalone(ledgers, record);
  return {
    proofId: record.proofId,
    txHash: hash,
    ...transactionUrls({ network, standalone, hash, publicUrl: publicUrl() }),
    certPath: `/api/v1/certificates/${record.proofId}`,
    ledger: network,
    standalone,
    ledgerIndex: record.ledgerIndex,
    requestedAt: record.requestedAt,
    timestamp: record.closedAt,
    hashScheme: record.hashScheme,
    proofCommitment: record.commitment,
    proofNonce: nonce,
    blockchainStatus: record.blockchainStatus,
    evidence: record.isAttested ? 'attested' : 'pending',
    fileName: record.fileName,
    fileHash: record.fileHash,
    fileSize: record.fileSizeBytes,
    mimeType: record.mimeType,
    description: record.description,
    metadata: viewMetadata(record),
    id: document?.documentId ?? null,
    documentId: document?.documentId ?? null,
    workspace: record.workspaceId,
    revision: document?.revision ?? null,
    rootDocumentId: document?.rootDocumentId ?? null,
    previousDocumentId: document?.previousDocumentId ?? null,
    previousTxHash: document?.previousTransactionHash ?? null,
    agentClassification: document?.classification ?? null,
    uploadedAt: document?.uploadedAt ?? null,
  };
}
